import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { SessionEmulator } from '../../server/tools/terminal/emulator/session-emulator.ts'
import { Screen } from '../../server/tools/terminal/screen.ts'
import { chunks, failureOf, fuzzTerminal, shownText } from '../fuzz/terminal.ts'
import { FOUND } from '../fuzz/terminal-found.ts'

const emulator = new SessionEmulator()
afterAll(() => emulator.close())

const HUGE = 2_147_483_647
const KILOBYTES = 4096

/** Each once froze or ended the whole service, or let it grow without end. */
const ATTACKS: [name: string, output: string][] = [
  ...[...'@ABCDEFGHILMPSTXZ`abdefr'].map((final): [string, string] => [`CSI ${HUGE} ${final}`, `\x1b[${HUGE}${final}`]),
  ['the same in the one-character form of C1', `\u009b${HUGE}S`],
  ['a million parameters', `\x1b[${'1;'.repeat(1_000_000)}S`],
  ['a parameter of a million digits', `\x1b[${'9'.repeat(1_000_000)}L`],
  ['erasing up to the last character of the screen', '\x1b[50;256H\x1b[1J'],
  ['the same on the alternate screen', '\x1b[?1049h\x1b[50;256H\x1b[1J\x1b[?1049l'],
  ['tabs over and over', '\x1b[999I\x1b[999Z'.repeat(KILOBYTES)],
  ['characters inserted over and over', '\x1b[1000@'.repeat(KILOBYTES)],
  ['a character repeated over and over', `x${'\x1b[256b'.repeat(KILOBYTES)}`],
  ['combining characters repeated, which multiply', `\u0301${'\x1b[256b'.repeat(KILOBYTES)}`],
  ['a million combining characters', `e${'\u0301'.repeat(1_000_000)}`],
  ['full resets over and over', '\x1bc'.repeat(KILOBYTES)],
  ['the alternate screen over and over', '\x1b[?1049h\x1b[?1049l'.repeat(KILOBYTES)],
  ['insert mode and a full line', `\x1b[4h${'x'.repeat(60_000)}\x1b[4l`],
  ['line feeds in a scroll region', `\x1b[2;49r${'\n'.repeat(60_000)}\x1b[r`],
  ['a million links', `${'\x1b]8;;http://example.org/\x07l\x1b]8;;\x07'.repeat(20_000)}`],
  ['a million titles', '\x1b]0;title\x07'.repeat(100_000)],
  ['a title without an end', `\x1b]0;${'t'.repeat(3_000_000)}\x07`],
  ['a device control string without an end', `\x1bP${'t'.repeat(3_000_000)}\x1b\\`],
  ['an application command without an end', `\x1b_${'t'.repeat(3_000_000)}\x1b\\`],
  ['a request to resize', `\x1b[8;${HUGE};${HUGE}t\x1b[?3h\x1b[?40h`],
  ['questions to the terminal over and over', '\x1b[6n\x1b[c\x1b[?6n'.repeat(KILOBYTES)],
]

/** Legal sequences that are slow even with bounded parameters. A busy machine may give up rendering them, not showing them. */
const AMPLIFIED: [name: string, output: string][] = [
  ['lines inserted over and over', '\x1b[50L'.repeat(KILOBYTES)],
  ['screens scrolled over and over', '\x1b[50S\x1b[50T'.repeat(KILOBYTES)],
  ['erasing to the cursor over and over', '\x1b[1J'.repeat(KILOBYTES)],
]

describe('the terminal bears', () => {
  test.each(ATTACKS)('%s', async (_name, output) => {
    const since = performance.now()
    const text = await shownText(emulator, [`before\r\n${output}\x1b[m\x1b[?1049l\x1b[r\x1b[999H\r\nafter`])
    expect(text).toMatch(/after$/)
    expect(text).not.toContain('could not be rendered')
    expect(performance.now() - since).toBeLessThan(8_000)
  })

  test.each(AMPLIFIED)('%s', async (_name, output) => {
    expect(await shownText(emulator, [`${output}\x1b[999H\r\nafter`])).toMatch(/after$/)
  })

  test('any bytes at all, in any chunks: the text is the same, and always rendered', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3000 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }),
        async (bytes, sizes) => {
          let turn = 0
          const failure = await failureOf(emulator, Buffer.from(bytes), () => sizes[turn++ % sizes.length] ?? 1)
          expect(failure).toBeUndefined()
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each(FOUND)('what the fuzzer found: $what', async ({ input }) => {
    for (const size of [1, 3, 17, 100, 400, 997]) {
      expect(await failureOf(emulator, Buffer.from(input, 'base64'), () => size)).toBeUndefined()
    }
  })

  test('a short run of the fuzzer', async () => {
    const { inputs, failures } = await fuzzTerminal({ seed: Date.now(), milliseconds: 3_000 })
    expect(failures).toEqual([])
    expect(inputs).toBeGreaterThan(3)
  })
})

describe('while hostile output is rendered, the main thread', () => {
  test.each([
    ['lines inserted over and over', '\x1b[50L\x1b[50S'.repeat(5000)],
    ['an endless line', 'x'.repeat(64 * 1024)],
    ['an endless line after a cursor movement', `\x1b7${'x'.repeat(64 * 1024)}`],
    ['a progress bar', 'progress 10%\r'.repeat(5000)],
    ['coloured lines', '\x1b[31mred\x1b[0m and a line of text\r\n'.repeat(1500)],
    ['random bytes', Buffer.from(Array.from({ length: 64 * 1024 }, (_, at) => (at * 7919) % 251))],
  ])('is free: %s, 60 MB of it', async (_name, piece) => {
    const chunk = Buffer.from(piece)
    const screen = new Screen(emulator, () => {})
    const before = process.memoryUsage().rss
    const longest = await longestWork(() => screen.write(chunk))
    const { scrolled, visible } = await screen.take()
    screen.close()
    expect(longest).toBeLessThan(50)
    expect(scrolled.length + visible.length).toBeLessThan(12_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20)
  })
})

/** The longest time in milliseconds that the main thread was at work without a break while 60 MB were written. */
async function longestWork(write: () => void): Promise<number> {
  let longest = 0
  for (let chunk = 0; chunk < 900; chunk++) {
    const since = mainThreadMs()
    write()
    await new Promise(setImmediate)
    longest = Math.max(longest, mainThreadMs() - since)
  }
  return longest
}

/** Its own time, where the system tells it: what else a busy machine does is not ours. */
function mainThreadMs(): number {
  const file = `/proc/self/task/${process.pid}/schedstat`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : performance.now()
}

describe('a renderer that is killed', () => {
  test('leaves the plain text, a note, and the next output to a new one', async () => {
    const screen = new Screen(emulator, () => {})
    screen.write(Buffer.from('rendered\r\n\x1b7first 1%\rfirst 2%\r\n'))
    await screen.take()
    const slow = `\x1b[50;1H${'\x1b[50L\x1b[50S'.repeat(500_000)}`
    for (const chunk of chunks(Buffer.from(`${slow}\r\nthe \x1b[1mend\x1b[m of it\r\n`), () => 65_536))
      screen.write(chunk)
    const { scrolled, visible } = await screen.take()
    expect(scrolled + visible).toMatch(/could not be rendered as a terminal shows it \(it took too long\)/)
    expect(scrolled + visible).toMatch(/the end of it\n$/)
    screen.write(Buffer.from('\x1b[2Jmore\r\n'))
    expect((await screen.take()).scrolled).toBe('more\n')
    screen.close()
    expect(await shownText(emulator, ['a\rb'])).toBe('b')
  })
})
