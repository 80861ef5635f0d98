import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { problemOfJson, problemOfValue } from '../../server/text/json-bounds.ts'

const problemOf = (text: string) => problemOfJson(Buffer.from(text))
const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels)

describe('JSON nested too deep', () => {
  it.each([
    ['lists', nested(20_000)],
    ['objects', nested(20_000, '{"a":', '}')],
    ['what is never closed', '['.repeat(5_000_000)],
    ['lists behind a long string', `["${'\\"[]'.repeat(1000)}",${nested(101)}]`],
    ['lists behind a string that ends in backslashes', `["\\\\",${nested(101)}]`],
  ])('is found in %s', (_what, text) => {
    expect(problemOf(text)).toBe('too deep')
  })

  it('is not found at the bound, nor in strings', () => {
    expect(problemOf(nested(BOUNDS.jsonDepth.limit))).toBeUndefined()
    expect(problemOf(nested(BOUNDS.jsonDepth.limit + 1))).toBe('too deep')
    expect(problemOf(JSON.stringify(['['.repeat(20_000), '\\', `"${'{'.repeat(200)}`]))).toBeUndefined()
  })
})

describe('too many values', () => {
  it.each([
    ['in a list', `[${'1,'.repeat(100_000)}1]`],
    ['in an object', `{${'"a":1,'.repeat(100_000)}"b":1}`],
    ['as empty lists', `[${'[],'.repeat(50_001)}[]]`],
  ])('are found %s', (_what, text) => {
    expect(problemOf(text)).toBe('too many values')
  })
})

it('text and value are judged alike, whatever the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 130 }), (value, levels) => {
      let deep: unknown = value
      for (let level = 0; level < levels; level++) deep = level % 2 === 0 ? [deep] : { '"\\': deep }
      const problem = problemOf(JSON.stringify(deep))
      expect(problemOfValue(deep)).toBe(problem)
      if (levels > BOUNDS.jsonDepth.limit) expect(problem).toBe('too deep')
    }),
  )
})

it('bytes of an attachment are one value', () => {
  expect(problemOfValue([Buffer.alloc(1_000_000)])).toBeUndefined()
})
