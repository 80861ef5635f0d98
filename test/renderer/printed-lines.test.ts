import { expect, test } from 'vitest'
import { printedLines } from '../../renderer/state/printed-lines.ts'

test('lines are those that were printed, without an empty one after the last', () => {
  expect(printedLines('one\r\ntwo\n\nfour\n', '')).toEqual(['one', 'two', '', 'four'])
  expect(printedLines('no end', '')).toEqual(['no end'])
  expect(printedLines('', '')).toEqual([])
  expect(printedLines('\n', '')).toEqual([''])
})

test('words filter them whatever their case', () => {
  expect(printedLines('GET /a\nPOST /b\nget /c\n', ' get ')).toEqual(['GET /a', 'get /c'])
  expect(printedLines('', 'a')).toEqual([])
})
