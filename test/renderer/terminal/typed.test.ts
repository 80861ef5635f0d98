import { describe, expect, test } from 'vitest'
import {
  isHarmlessAnswer,
  lineCount,
  quotedPaths,
  webAddress,
  withoutControls,
} from '../../../renderer/state/terminal/typed.ts'

describe('what a terminal answers by itself', () => {
  test.each([
    '\x1b[?1;2c',
    '\x1b[>0;276;0c',
    '\x1b[0n',
    '\x1b[24;80R',
    '\x1b[?2004;1$y',
    '\x1b]11;rgb:ffff/ffff/ffff\x1b\\',
  ])('%j is a standard report', text => expect(isHarmlessAnswer(text)).toBe(true))

  test.each([
    '',
    'rm -rf ~\r',
    '\x1b]lharm\r\x1b\\',
    '\x1bP1$rharm\r\x1b\\',
    '\x1bP0$r\x1b\\',
    '\x1b[0n\r',
    'x\x1b[0n',
    '\u241b[0n',
    '\x1b]52;c;aGFybQ==\x07',
  ])('%j is none, and is not sent', text => expect(isHarmlessAnswer(text)).toBe(false))
})

test('a paste has no control characters that could end it, but tabs and line ends', () => {
  expect(withoutControls('a\x1b[201~b\tc\r\nd\x03\x9b\x7f')).toBe('a[201~b\tc\r\nd')
  expect(lineCount('a\nb\r\nc\rd')).toBe(4)
})

test('paths are words of a shell', () => {
  expect(quotedPaths(['/workspace/a.txt', "/workspace/it's here"])).toBe("/workspace/a.txt '/workspace/it'\\''s here'")
  expect(quotedPaths(['/workspace/a\nb', '/workspace/$(x)'])).toBe("'/workspace/a\nb' '/workspace/$(x)'")
})

test('links lead to web pages alone', () => {
  expect(webAddress('https://example.com/a b')).toBe('https://example.com/a%20b')
  for (const uri of ['file:///etc/passwd', 'javascript:alert(1)', 'vscode://x', 'no address'])
    expect(webAddress(uri)).toBeUndefined()
})
