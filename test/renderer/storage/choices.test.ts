import { expect, it } from 'vitest'
import { choicesOf, idleSandboxes } from '../../../renderer/state/storage/choices.ts'
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
    engine: {
      engineId: 'default',
      items: [
        sandbox('fresh', 1, ['a'], archived),
        sandbox('old', 40, ['b'], archived),
        sandbox('shared', 1, ['c', 'd'], archived),
        sandbox('nobody', 0, [], archived),
      ],
    },
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

it('idle sandboxes are those of all engines that were not used for the days asked for, whoever they belong to', () => {
  const engines = [
    {
      engineId: 'default',
      items: [sandbox('fresh', 0, ['a'], []), sandbox('week', 8, ['b'], []), sandbox('alone', 2, [], [])],
    },
    { engineId: 'other', items: [{ ...sandbox('month', 40, ['c'], ['c']), bytes: 99 }] },
  ]
  const idle = (days: 1 | 7 | 30) => idleSandboxes(engines, days, NOW).map(({ item }) => [item?.engineId, item?.id])
  const [month, week, alone] = [
    ['other', 'month'],
    ['default', 'week'],
    ['default', 'alone'],
  ]
  expect(idle(1)).toEqual([month, week, alone])
  expect(idle(7)).toEqual([month, week])
  expect(idle(30)).toEqual([month])
})

it('an image that is old is no idle sandbox', () => {
  const image: Removable = {
    ...sandbox('image', 90, [], []),
    kind: 'image',
    reason: 'other_spec',
    may_hold_work: false,
  }
  expect(idleSandboxes([{ engineId: 'default', items: [image] }], 1, NOW)).toEqual([])
})
