import { expect, test } from 'vitest'
import { wanted } from '../../../server/sandbox/prepared/wanted.ts'

const GIB = 1024 ** 3
const UNUSED = { limit: 3, memoryBytes: 16 * GIB, recentStarts: 0 }

test('before anything was started one is wanted of each kind', () => {
  expect(wanted(['default'], UNUSED)).toEqual(['default'])
  expect(wanted(['last', 'default'], UNUSED)).toEqual(['last', 'default'])
  expect(wanted([], UNUSED)).toEqual([])
})

test('where there is room for one, it is of the kind that was used last', () => {
  expect(wanted(['last', 'default'], { ...UNUSED, limit: 1 })).toEqual(['last'])
})

test('much use wants more of what is used', () => {
  expect(wanted(['default'], { ...UNUSED, recentStarts: 2 })).toEqual(['default', 'default'])
  expect(wanted(['default'], { ...UNUSED, recentStarts: 5 })).toEqual(['default', 'default', 'default'])
  expect(wanted(['last', 'default'], { ...UNUSED, recentStarts: 5 })).toEqual(['last', 'default', 'last'])
  expect(wanted(['default'], { ...UNUSED, recentStarts: 500 })).toHaveLength(3)
})

test('an engine with little memory has none to spare', () => {
  expect(wanted(['default'], { ...UNUSED, recentStarts: 9, memoryBytes: GIB })).toEqual([])
  expect(wanted(['default'], { ...UNUSED, recentStarts: 9, memoryBytes: 4 * GIB })).toHaveLength(2)
})

test('none is wanted where they are switched off', () => {
  expect(wanted(['default'], { ...UNUSED, limit: 0, recentStarts: 9 })).toEqual([])
})
