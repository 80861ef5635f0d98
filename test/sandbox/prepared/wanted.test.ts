import { expect, test } from 'vitest'
import { type PreparedUse, wantedSpecs } from '../../../server/sandbox/prepared/wanted.ts'

const GIB = 1024 ** 3
const UNUSED: PreparedUse = {
  limit: 3,
  memoryBytes: 16 * GIB,
  defaultSpec: 'default',
  lastSpec: undefined,
  recentStarts: 0,
}

test('before anything was started one of the default is wanted', () => {
  expect(wantedSpecs(UNUSED)).toEqual(['default'])
  expect(wantedSpecs({ ...UNUSED, lastSpec: 'default' })).toEqual(['default'])
})

test('the spec that was used last comes first, and the default stays', () => {
  expect(wantedSpecs({ ...UNUSED, lastSpec: 'node' })).toEqual(['node', 'default'])
  expect(wantedSpecs({ ...UNUSED, lastSpec: 'node', limit: 1 })).toEqual(['node'])
})

test('much use wants more of what is used', () => {
  expect(wantedSpecs({ ...UNUSED, recentStarts: 2 })).toEqual(['default', 'default'])
  expect(wantedSpecs({ ...UNUSED, recentStarts: 5 })).toEqual(['default', 'default', 'default'])
  expect(wantedSpecs({ ...UNUSED, recentStarts: 5, lastSpec: 'node' })).toEqual(['node', 'default', 'node'])
  expect(wantedSpecs({ ...UNUSED, recentStarts: 500 })).toHaveLength(3)
})

test('an engine with little memory has none to spare', () => {
  expect(wantedSpecs({ ...UNUSED, recentStarts: 9, memoryBytes: GIB })).toEqual([])
  expect(wantedSpecs({ ...UNUSED, recentStarts: 9, memoryBytes: 4 * GIB })).toHaveLength(2)
})

test('none is wanted where they are switched off', () => {
  expect(wantedSpecs({ ...UNUSED, limit: 0, recentStarts: 9 })).toEqual([])
})
