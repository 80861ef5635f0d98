import { describe, expect, it } from 'vitest'
import { replaceOnce } from '../../server/tools/file-editor/replace.ts'
import { growthOfTime } from '../parts/value/growth-of-time.ts'

describe('replacing a text in a file', () => {
  it('takes time in proportion to the file where a text of many equal letters is looked for', () => {
    const work = (size: number) => () => {
      const wanted = `${'a'.repeat(size / 200)}b${'a'.repeat(size / 200)}`
      expect(replaceOnce('a'.repeat(size), wanted, 'x').kind).toBe('not-found')
    }
    // Sixteen times the file and sixteen times the text: 256 times the work where it grows with their product.
    expect(growthOfTime(work, 2_000_000)).toBeLessThan(1.75)
  })

  it('takes time in proportion to the file where lines differ at their very end', () => {
    const work = (size: number) => () => {
      expect(replaceOnce('a\n'.repeat(size), `${'a\n'.repeat(size / 10)}b`, 'x').kind).toBe('not-found')
    }
    expect(growthOfTime(work, 320_000)).toBeLessThan(1.75)
  })

  it('survives a text of many lines, for which a regular expression takes all memory', () => {
    const file = `${'line\n'.repeat(400_000)}end\n`
    const result = replaceOnce(file, `${'line\n'.repeat(300_000)}end`, 'gone')
    expect(result).toMatchObject({ kind: 'replaced', start: 500_000, length: 4 })
  })

  it('names some of very many places, and says that there are more', () => {
    const result = replaceOnce('x\n'.repeat(100_000), 'x', 'y')
    expect(result).toMatchObject({ kind: 'several', more: true })
    expect(result.kind === 'several' && result.lines.slice(0, 3)).toEqual([1, 2, 3])
    expect(result.kind === 'several' && result.lines.length).toBeLessThan(100)
    expect(replaceOnce('x\nx\n', 'x', 'y')).toEqual({ kind: 'several', lines: [1, 2], more: false })
  })

  it.each([
    ['a\r\nb\r\nc', 'a\nb', 'x', 'x\r\nc'],
    ['a\nb\nc', 'a\r\nb', 'x', 'x\nc'],
    ['a\r\nb\r\n', '\nb', '\nx', 'a\r\nx\r\n'],
    ['a\r\nb\nc\r\n', 'b\nc\n', 'x\n', 'a\r\nx\r\n'],
    ['a\rb\r\nc', 'a\rb', 'x', 'x\r\nc'],
    ['\r\na\r\n', '\na\n', 'b', 'b'],
  ])('%j: %j by %j', (text, oldText, newText, expected) => {
    expect(replaceOnce(text, oldText, newText)).toMatchObject({ kind: 'replaced', text: expected })
  })
})
