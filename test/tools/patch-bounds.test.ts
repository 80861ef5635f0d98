import { describe, expect, it } from 'vitest'
import { fitHunks } from '../../server/tools/patch/fit.ts'
import { parsePatch } from '../../server/tools/patch/parse.ts'
import { growthOfTime } from '../parts/value/growth-of-time.ts'

function hunk(lines: string[], anchors: string[] = []) {
  return { anchors, lines: lines.map(text => ({ kind: 'keep' as const, text })), atEnd: false }
}

describe('a patch made to take time', () => {
  it('is placed in time that grows with the file, where lines repeat and differ at the end', () => {
    const work = (size: number) => () => {
      const wanted = [...Array<string>(size / 4).fill('a'), 'b', ...Array<string>(size / 4).fill('a')]
      expect(() => fitHunks('f', 'a\n'.repeat(size), [hunk(wanted)])).toThrow('these lines were not found')
    }
    expect(growthOfTime(work, 128_000)).toBeLessThan(1.75)
  })

  it('is read in time that grows with it, where it holds many empty lines', () => {
    const work = (lines: number) => () =>
      parsePatch(`*** Begin Patch\n*** Update File: a\n@@\n${'\n'.repeat(lines)} x\n*** End Patch`)
    expect(growthOfTime(work, 512_000)).toBeLessThan(1.75)
  })

  it('is refused in words when its changes are too many for a long file', () => {
    const file = Array.from({ length: 100_000 }, (_, at) => `line ${at}\n`).join('')
    const hunks = Array.from({ length: 1000 }, (_, at) => hunk([`line ${at}`], [`line ${at} of another file`]))
    expect(() => fitHunks('f', file, hunks)).toThrow(/too many changes.*Nothing was changed/)
  })

  it('is refused in words when the file has too many lines', () => {
    expect(() => fitHunks('f', '\n'.repeat(200_001), [hunk(['a'])])).toThrow(/more than 200,000 lines.*terminal/)
  })

  it('is refused in words when it names too many files', () => {
    const patch = `*** Begin Patch\n${'*** Delete File: a\n'.repeat(501)}*** End Patch`
    expect(() => parsePatch(patch)).toThrow(/more than 500 files/)
  })

  it('has its lines quoted in part where they are long', () => {
    const placed = () => fitHunks('f', 'a\n', [hunk(['b'.repeat(1_000_000)])])
    expect(placed).toThrow(/^[\s\S]{0,20000}$/)
    expect(placed).toThrow('these lines were not found')
  })
})
