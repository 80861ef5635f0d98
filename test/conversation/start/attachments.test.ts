import { readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Attachments } from '../../../server/conversation/start/attachments.ts'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { isAppError } from '../../../server/domain/errors.ts'
import { TestFolder } from '../../parts/test-folder.ts'

const signal = new AbortController().signal

/** With files that wait already, of a size that takes no space. */
function waiting(files: Record<string, number>) {
  const folder = new TestFolder('waiting').path
  for (const [name, size] of Object.entries(files)) {
    writeFileSync(join(folder, name), '')
    truncateSync(join(folder, name), size)
  }
  const attachments = new Attachments(folder)
  return { folder, attachments, receive: () => attachments.receive(content(), signal).catch(codeOf) }
}

async function* content() {
  yield Buffer.from('12345678')
}

function codeOf(error: unknown) {
  if (isAppError(error)) return error.code
  throw error
}

it('of files that arrive at once, no more are taken than there is room for', async () => {
  const { receive, folder } = waiting({ large: BOUNDS.waitingAttachments.limit - 12 })
  const outcomes = await Promise.all([receive(), receive(), receive()])
  expect(outcomes.filter(outcome => outcome === 'too_large')).toHaveLength(2)
  expect(readdirSync(folder)).toHaveLength(2)
  expect(await receive()).toBe('too_large')
})

it('of files that arrive at once, no more are taken than may wait', async () => {
  const names = Array.from({ length: BOUNDS.waitingAttachmentFiles.limit - 1 }, (_, at) => [`file-${at}`, 0] as const)
  const { receive, folder } = waiting(Object.fromEntries(names))
  const outcomes = await Promise.all([receive(), receive(), receive()])
  expect(outcomes.filter(outcome => outcome === 'too_large')).toHaveLength(2)
  expect(readdirSync(folder)).toHaveLength(BOUNDS.waitingAttachmentFiles.limit)
})

it('a file that a start uses is neither deleted nor too old', async () => {
  const { attachments, folder, receive } = waiting({ used: 4 })
  const release = attachments.claim({ attachments: [{ id: 'used', name: 'a.txt' }] })
  await expect(attachments.delete('used')).rejects.toMatchObject({ code: 'conflict' })
  const then = new Date(Date.now() - BOUNDS.attachmentAge.limit - 1000)
  utimesSync(join(folder, 'used'), then, then)
  await receive()
  expect(readdirSync(folder)).toContain('used')
  release()
  await receive()
  expect(readdirSync(folder)).not.toContain('used')
})
