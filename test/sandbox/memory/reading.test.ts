import { expect, test } from 'vitest'
import { ranOutOfMemory } from '../../../server/domain/memory-kills.ts'
import { memoryKillsIn } from '../../../server/sandbox/memory/reading.ts'

test('both versions of control groups say how often and what the limit is', () => {
  expect(memoryKillsIn('kills 2\nlimit 4294967296\n')).toEqual({ count: 2, limitBytes: 2 ** 32 })
  expect(memoryKillsIn('kills 0\nlimit max\n')).toEqual({ count: 0, limitBytes: null })
  expect(memoryKillsIn('kills 0\nlimit 9223372036854771712\n')).toEqual({ count: 0, limitBytes: null })
})

test.each(['', 'kills x', 'kills -1', 'kills 1e9', `kills ${'9'.repeat(40)}`, 'limit 5'])('%j says nothing', text => {
  expect(memoryKillsIn(text)).toBeNull()
})

test('the limit is in words', () => {
  expect(ranOutOfMemory({ limitBytes: 4 * 2 ** 30 })).toContain('(its limit is 4 GB)')
  expect(ranOutOfMemory({ limitBytes: 1.5 * 2 ** 30 })).toContain('(its limit is 1.5 GB)')
  expect(ranOutOfMemory({ limitBytes: null })).toContain('out of memory, and')
})
