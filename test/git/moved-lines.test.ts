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

  it('keep a last line without an end, and line ends of Windows', () => {
    expect(replaceMovedLines('a\nb', 'a\nb', { first: 2, last: 2, text: 'B\n' })).toBe('a\nB')
    const windows = replaceMovedLines('a\r\nb\r\nc\r\n', 'a\r\nb\r\nc\r\n', { first: 2, last: 2, text: 'B\n' })
    expect(windows?.split('\n').map(line => line.replace('\r', ''))).toEqual(['a', 'B', 'c', ''])
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
