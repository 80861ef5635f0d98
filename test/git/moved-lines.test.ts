import { describe, expect, it } from 'vitest'
import { replaceMovedLines } from '../../server/git/review/moved-lines.ts'

const ORIGINAL = 'a\nb\nc\nd\ne\nf\ng\nh\n'

describe('lines of a text', () => {
  it.each([
    ['where they were', ORIGINAL, { first: 3, last: 4, text: 'C\n' }, 'a\nb\nC\ne\nf\ng\nh\n'],
    ['further down', `x\ny\n${ORIGINAL}`, { first: 3, last: 3, text: 'C\nCC\n' }, 'x\ny\na\nb\nC\nCC\nd\ne\nf\ng\nh\n'],
    ['at the beginning', ORIGINAL, { first: 1, last: 1, text: '' }, ORIGINAL.slice(2)],
    ['at the end', ORIGINAL, { first: 8, last: 8, text: 'H\n' }, ORIGINAL.replace('h', 'H')],
  ])('are replaced %s', (_, modified, asked, expected) => {
    expect(replaceMovedLines(ORIGINAL, modified, asked)).toBe(expected)
  })

  const BLOCK = 'begin\n  a\n  b\n  c\n  value\n  d\n  e\n  f\nend\n'
  const ofBlocks = (count: number) => BLOCK.repeat(count)

  it('are found among others of the same text where nothing changed above, or below', () => {
    const fourth = { first: 32, last: 32, text: '  CHANGED\n' }
    const lineOf = (text: string | null) => (text?.split('\n').indexOf('  CHANGED') ?? -2) + 1
    expect(lineOf(replaceMovedLines(ofBlocks(6), ofBlocks(5), { ...fourth }))).toBe(32)
    expect(lineOf(replaceMovedLines(ofBlocks(6), ofBlocks(6), fourth))).toBe(32)
    expect(lineOf(replaceMovedLines(ofBlocks(6), `new\n${ofBlocks(6)}`, fourth))).toBe(33)
    expect(lineOf(replaceMovedLines(ofBlocks(6), `new\n${ofBlocks(6)}new\n`, fourth))).toBe(-1)
  })

  it('are not replaced twice at the end, nor when the end is another', () => {
    const end = { first: 3, last: 3, text: '3\n4\n' }
    const once = replaceMovedLines('1\n2\n3\n', '1\n2\n3\n', end)
    expect(once).toBe('1\n2\n3\n4\n')
    expect(replaceMovedLines('1\n2\n3\n', once ?? '', end)).toBeNull()
    expect(replaceMovedLines('1\n2\n3\n', '1\n2\n3\nnot the end\n', end)).toBeNull()
  })

  it('keep a byte order mark', () => {
    const asked = { first: 1, last: 1, text: 'NEW\n' }
    expect(replaceMovedLines('\uFEFFa\r\nb\r\n', '\uFEFFa\r\nb\r\n', asked)).toBe('\uFEFFNEW\r\nb\r\n')
  })

  it('keep a last line without an end, and line ends of Windows', () => {
    expect(replaceMovedLines('a\nb', 'a\nb', { first: 2, last: 2, text: 'B\n' })).toBe('a\nB')
    const windows = replaceMovedLines('a\r\nb\r\nc\r\n', 'a\r\nb\r\nc\r\n', { first: 2, last: 2, text: 'B\n' })
    expect(windows).toBe('a\r\nB\r\nc\r\n')
  })

  it.each([
    ['have changed', 'a\nb\nother\nd\ne\nf\ng\nh\n', 3, 3],
    ['have other lines around them', 'a\nB\nc\nd\ne\nf\ng\nh\n', 3, 3],
    ['are gone', 'a\n', 3, 3],
    ['never were', ORIGINAL, 9, 9],
    ['end before they begin', ORIGINAL, 4, 3],
  ])('are left alone when they %s', (_, modified, first, last) => {
    expect(replaceMovedLines(ORIGINAL, modified, { first, last, text: 'C\n' })).toBeNull()
  })
})
