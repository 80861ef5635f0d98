import { describe, expect, it } from 'vitest'
import { reopened } from '../../../renderer/api/storage.ts'
import { diskWarning, isSameDisk } from '../../../renderer/state/notice/disk-warning.ts'
import { choiceProblem, EMPTY_CHOICE } from '../../../renderer/state/settings/model-choice.ts'
import { isRecent } from '../../../renderer/state/storage/words.ts'
import type { DiskStatus } from '../../../server/api/v1/system/storage.ts'
import { ApiError } from '../../../server/client/api-error.ts'
import type { Client } from '../../../server/client/client.ts'

const disk = (state: DiskStatus['state'], free_bytes = 800_000_000): DiskStatus => ({
  path: '/data',
  free_bytes,
  total_bytes: 100_000_000_000,
  state,
})

describe('of the disks the window tells', () => {
  it('nothing while there is space, or where they cannot be told', () => {
    expect(diskWarning(disk('ok'), disk('ok'))).toBeNull()
    expect(diskWarning(null, null)).toBeNull()
  })

  it('how much is left, what happens when nothing is, and that agents go on by themselves', () => {
    expect(diskWarning(disk('low'), null)).toMatchObject({ tone: 'wait', what: expect.stringContaining('800 MB free') })
    expect(diskWarning(disk('full'), null)).toMatchObject({
      tone: 'bad',
      meaning: expect.stringMatching(/by themselves/),
    })
  })

  it('the engine’s only when the data folder’s is well: often they are one', () => {
    expect(diskWarning(disk('low'), disk('low'))?.id).toBe('data low')
    expect(diskWarning(disk('ok'), disk('full'))?.id).toBe('engine full')
    expect(isSameDisk(disk('ok'), disk('ok'))).toBe(true)
    expect(isSameDisk(disk('ok'), null)).toBe(false)
  })
})

it('a notice about the database is no news after two weeks', () => {
  const at = '2026-11-01T00:00:00.000Z'
  expect(isRecent({ at }, Date.parse('2026-11-14T00:00:00Z'))).toBe(true)
  expect(isRecent({ at }, Date.parse('2026-11-16T00:00:00Z'))).toBe(false)
})

it('whoever waits for the service asks again while it is closed, and hears of other failures', async () => {
  const answers: (Error | { question: null })[] = [
    new ApiError({ status: 0, code: 'unreachable', message: 'Closed.' }),
    new ApiError({ status: 503, code: 'unavailable', message: 'Opening.' }),
    { question: null },
  ]
  const client = {
    call: async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    },
  } as unknown as Client
  expect(await reopened(client, ({ question }) => question === null)).toEqual({ question: null })
  answers.push(new ApiError({ status: 401, code: 'unauthorized', message: 'No.' }))
  await expect(reopened(client, () => true)).rejects.toThrow('No.')
})

it('the first run does not ask for a key while nobody knows whether there is one', () => {
  const choice = { ...EMPTY_CHOICE, model: 'anthropic/claude' }
  expect(choiceProblem(choice, false)).toBe('Paste a key first.')
  expect(choiceProblem(choice, null)).toBe('Unlock the keychain first.')
})
