import { expect, it } from 'vitest'
import { readConfig } from '../server/config.ts'

it.each([
  ['restore', { choice: 'restore', backup: null }],
  [
    'restore:atelier-2026-11-22T10-00-00-000Z-daily.db',
    { choice: 'restore', backup: 'atelier-2026-11-22T10-00-00-000Z-daily.db' },
  ],
  ['adopt', { choice: 'adopt', backup: null }],
  ['new', { choice: 'new', backup: null }],
  ['', undefined],
])('ATELIER_DATABASE=%s answers the question about a missing database beforehand', (value, answer) => {
  expect(readConfig({ ATELIER_DATABASE: value }).storageAnswer).toEqual(answer)
})

it.each(['delete', 'restore:', 'restore:../../other.db', 'new:name'])(
  'ATELIER_DATABASE=%s is refused by name',
  value => {
    expect(() => readConfig({ ATELIER_DATABASE: value })).toThrow(/ATELIER_DATABASE/)
  },
)
