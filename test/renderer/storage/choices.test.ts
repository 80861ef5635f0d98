import { expect, it } from 'vitest'
import { choicesOf } from '../../../renderer/state/storage/choices.ts'
import type { Removable } from '../../../server/api/v1/sandbox/removable.ts'

const NOW = Date.parse('2026-06-30T00:00:00.000Z')
const DAY_MS = 24 * 60 * 60_000

const sandbox = (id: string, daysAgo: number, conversations: string[], archived: string[]): Removable => ({
  kind: 'sandbox',
  id,
  name: id,
  bytes: 10,
  since: new Date(NOW - daysAgo * DAY_MS).toISOString(),
  reason: conversations.length > 0 ? 'not_running' : 'no_conversation',
  may_hold_work: true,
  conversations: conversations.map(each => ({ id: each, title: each, archived: archived.includes(each) })),
})

const shown = (days: 7 | 30 | 90, archived: string[]) =>
  choicesOf({
    own: [
      { kind: 'logs', bytes: 5, files: 2 },
      { kind: 'backups', bytes: 5, files: 0 },
    ],
    engine: [
      sandbox('fresh', 1, ['a'], archived),
      sandbox('old', 40, ['b'], archived),
      sandbox('shared', 1, ['c', 'd'], archived),
      sandbox('nobody', 0, [], archived),
    ],
    days,
    now: NOW,
  })

it('sandboxes of conversations can go after their time, or once all of theirs are archived', () => {
  const ids = (days: 7 | 30 | 90, archived: string[]) => shown(days, archived).flatMap(({ item }) => item?.id ?? [])
  expect(ids(30, [])).toEqual(['old', 'nobody'])
  expect(ids(90, [])).toEqual(['nobody'])
  expect(ids(90, ['a', 'c'])).toEqual(['fresh', 'nobody'])
  expect(ids(90, ['c', 'd'])).toEqual(['shared', 'nobody'])
})

it('what nobody misses comes first, and what may hold work says so', () => {
  const found = shown(90, ['a'])
  expect(found.map(({ kind, mayHoldWork }) => [kind, mayHoldWork])).toEqual([
    ['logs', false],
    ['sandbox', true],
    ['sandbox', true],
  ])
  expect(found[1]).toMatchObject({ name: 'a', detail: 'Its conversation is archived · last used 1 d ago' })
})
