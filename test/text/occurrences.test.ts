import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeUnits, occurrences } from '../../server/text/occurrences.ts'

function byHand(text: string, wanted: string): number[] {
  const found: number[] = []
  for (let at = 0; at + wanted.length <= text.length; at++) if (text.startsWith(wanted, at)) found.push(at)
  return found
}

/** Counts how often anything looks at the text that is searched. */
function counted(text: string): { units: ArrayLike<number>; reads: () => number } {
  let reads = 0
  const units = new Proxy(codeUnits(text), {
    get(target, property) {
      if (property === 'length') return target.length
      reads++
      return Reflect.get(target, property)
    },
  })
  return { units, reads: () => reads }
}

describe('places of a text in another', () => {
  it('are all found, those that overlap too', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 })
    const short = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(few, short, (text, wanted) => {
        expect(occurrences(codeUnits(text), codeUnits(wanted))).toEqual(byHand(text, wanted))
      }),
      { numRuns: 2000 },
    )
  })

  it('are counted from where the search begins, and only as many as are wanted', () => {
    expect(occurrences(codeUnits('aaaa'), codeUnits('aa'), { from: 1 })).toEqual([1, 2])
    expect(occurrences(codeUnits('aaaa'), codeUnits('aa'), { limit: 2 })).toEqual([0, 1])
    expect(occurrences(codeUnits('aaaa'), codeUnits(''))).toEqual([])
  })

  it('cost at most a few looks at each character, whatever the text repeats', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(piece, piece, fc.integer({ min: 1, max: 400 }), (repeated, last, times) => {
        const { units, reads } = counted(repeated.repeat(2000))
        occurrences(units, codeUnits(repeated.repeat(times) + last + repeated.repeat(times)))
        expect(reads()).toBeLessThanOrEqual(5 * units.length)
      }),
      { numRuns: 50 },
    )
  })
})
