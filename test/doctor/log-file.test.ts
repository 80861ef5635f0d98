import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, describe, expect } from 'vitest'
import { LogFile } from '../../server/doctor/log-file.ts'
import { createMask } from '../../server/secret/mask/mask.ts'

const test = base.extend('path', async ({}, { onCleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-log-'))
  onCleanup(() => rmSync(folder, { recursive: true }))
  return join(folder, 'atelier.log')
})

const { mask } = createMask(['sk-canary-of-the-log'])
const line = (msg: string, more: object = {}) =>
  `${JSON.stringify({ level: 30, time: 1_700_000_000_000, ...more, msg })}\n`

describe('the log', () => {
  test('is empty where there is none', async ({ path }) => {
    expect(await new LogFile(path, mask).read({})).toEqual({ lines: [], before: null, after: '0:0', began_anew: false })
  })

  test('is read to its end, and on from there by whole lines, without secrets', async ({ path }) => {
    const log = new LogFile(path, mask)
    writeFileSync(
      path,
      `${line('one', { level: 40, key: 'sk-canary-of-the-log' })}no JSON\n${line('half').slice(0, 20)}`,
    )
    const first = await log.read({})
    expect(first.lines).toMatchObject([
      { at: '2023-11-14T22:13:20.000Z', level: 'warn', message: 'one', details: '{"key":"<secret-hidden>"}' },
      { at: null, level: 'info', message: 'no JSON', details: null },
    ])
    expect(await log.read({ after: first.after })).toMatchObject({ lines: [], after: first.after })
    appendFileSync(path, line('half').slice(20) + line('two'))
    const { lines, began_anew } = await log.read({ after: first.after })
    expect({ messages: lines.map(({ message }) => message), began_anew }).toEqual({
      messages: ['half', 'two'],
      began_anew: false,
    })
  })

  test('is read backwards in bounded pieces, each line once', async ({ path }) => {
    const log = new LogFile(path, mask)
    writeFileSync(
      path,
      Array.from({ length: 9000 }, (_, index) => line(`line ${index}`, { pad: 'x'.repeat(40) })).join(''),
    )
    const seen: string[] = []
    let pieces = 0
    for (let before: string | null | undefined; before !== null; pieces++) {
      const piece = await log.read({ before })
      seen.unshift(...piece.lines.map(({ message }) => message))
      before = piece.before
    }
    expect(pieces).toBeGreaterThan(3)
    expect(seen).toEqual(Array.from({ length: 9000 }, (_, index) => `line ${index}`))
  })

  test('begins anew when it was put away, and says so', async ({ path }) => {
    const log = new LogFile(path, mask)
    writeFileSync(path, line('old'))
    const { after } = await log.read({})
    renameSync(path, `${path}.1`)
    writeFileSync(path, line('new'))
    expect(await log.read({ after })).toMatchObject({ lines: [{ message: 'new' }], began_anew: true })
  })

  test('leaves out the beginning of what came too quickly, and a line that is longer than a piece', async ({
    path,
  }) => {
    const log = new LogFile(path, mask)
    writeFileSync(path, line('first'))
    const { after } = await log.read({})
    appendFileSync(path, line('long', { pad: 'x'.repeat(600_000) }) + line('last'))
    expect(await log.read({ after })).toMatchObject({ lines: [{ message: 'last' }], began_anew: true })
  })
})
