import { describe, expect, test } from 'vitest'
import { TerminalModes } from '../../server/terminal/modes.ts'

function modesAfter(...pieces: string[]): TerminalModes {
  const modes = new TerminalModes()
  for (const piece of pieces) modes.consume(Buffer.from(piece))
  return modes
}

describe('the state of a terminal after some bytes', () => {
  test.each([
    ['text has none', 'hello\r\nworld\x1b[2J\x1b[10;3H\x1b]0;title\x07', ''],
    [
      'modes, as they were set last',
      '\x1b[?1049;25h\x1b[?25l\x1b[?2004h\x1b[?9999h',
      '\x1b[?1049h\x1b[?25l\x1b[?2004h',
    ],
    ['attributes add up', '\x1b[1m\x1b[38;5;3m', '\x1b[1m\x1b[38;5;3m'],
    ['attributes are taken back', '\x1b[1m\x1b[m\x1b[4m\x1b[0;7m', '\x1b[0;7m'],
    ['margins, and their end', '\x1b[2;9r\x1b[r\x1b[3;8r', '\x1b[3;8r'],
    ['character sets and shift', '\x1b(0\x0e', '\x1b(0\x0e'],
    ['the keypad and the form of the cursor', '\x1b=\x1b[4 q', '\x1b=\x1b[4 q'],
    ['insert mode', '\x1b[4h', '\x1b[4h'],
    ['a reset takes all back', '\x1b[?1049h\x1b[1m\x1b(0\x0e\x1b=\x1b[4 q\x1bc', ''],
    ['a soft reset leaves the screen', '\x1b[?1049h\x1b[1m\x1b[2;9r\x1b[!p', '\x1b[?1049h'],
    ['what looks like a sequence inside of a string', '\x1b]0;\x1b\\\x1bP+q[1m\x1b\\\x1b_[?25l\x07', ''],
    ['a sequence that was given up', '\x1b[1\x18m\x1b[?25\x1b[4m', '\x1b[4m'],
    ['a line feed within a sequence', '\x1b[\n1m', '\x1b[1m'],
    ['parameters without end set nothing', `\x1b[${'1;'.repeat(5000)}m`, ''],
  ])('%s', (_what, bytes, sequences) => {
    expect(modesAfter(bytes).sequences()).toBe(sequences)
    expect(modesAfter(...bytes).sequences()).toBe(sequences)
  })

  test('stays bounded, whatever is sent', () => {
    const modes = modesAfter('\x1b[31m'.repeat(10_000), '\x1b[?1049h'.repeat(1000), '\x1b(B'.repeat(1000))
    expect(modes.sequences().length).toBeLessThan(300)
  })

  test('a replay begins between two lines, and never within a sequence or a string', () => {
    expect(modesAfter('one\n').isAtLineStart).toBe(true)
    expect(modesAfter('one').isAtLineStart).toBe(false)
    expect(modesAfter('\x1b]0;one\n').isAtLineStart).toBe(false)
    expect(modesAfter('\x1b[\n').isAtLineStart).toBe(false)
    expect(modesAfter('\x1b[1').isBetweenSequences).toBe(false)
    expect(modesAfter('\x1bP1').isBetweenSequences).toBe(false)
    expect(modesAfter('\x1bP1\x1b\\').isBetweenSequences).toBe(true)
  })
})
