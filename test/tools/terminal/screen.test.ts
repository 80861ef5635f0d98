import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { SessionEmulator } from '../../../server/tools/terminal/emulator/session-emulator.ts'
import { Screen } from '../../../server/tools/terminal/screen.ts'

const emulator = new SessionEmulator()
afterAll(() => emulator.close())

async function shown(chunks: (string | Buffer)[]): Promise<string> {
  const screen = new Screen(emulator, () => {})
  for (const chunk of chunks) screen.write(Buffer.from(chunk))
  const { scrolled, visible } = await screen.take()
  screen.close()
  return scrolled + visible
}

/** Changes nothing that is seen, but has the screen carried out by a terminal from the start. */
const RENDERED = '\x1b7'

const piece = fc.constantFrom(
  'a',
  ' ',
  'word ',
  '\t',
  'ä',
  '漢',
  '🎉',
  '\r\n',
  '\r\n\r\n',
  '\x1b[31m',
  '\x1b[0;1m',
  'x'.repeat(300),
)
const output = fc.array(piece, { maxLength: 200 }).map(pieces => pieces.join(''))

describe('what a terminal shows', () => {
  test('is the same whether it was rendered or taken as text, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        output,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
        async (text, sizes) => {
          const whole = await shown([RENDERED + text])
          expect(await shown(cut(Buffer.from(text), sizes))).toBe(whole)
        },
      ),
      { numRuns: 100 },
    )
  })

  test('is the same when a program begins to move the cursor late', async () => {
    await fc.assert(
      fc.asyncProperty(output, fc.integer({ min: 1, max: 60 }), async (text, up) => {
        const late = `\x1b[${up}Achanged\r\n`
        expect(await shown([text, late])).toBe(await shown([RENDERED + text + late]))
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['a progress bar', ['10%\r', '50%\r', '100%\r\n', 'done\r\n'], '100%\ndone'],
    ['a line that is cleared', ['working…\x1b[2K\rdone\r\n'], 'done'],
    ['an escape sequence cut in two', ['a\x1b', '[1', 'mb\r', '\nc'], 'ab\nc'],
    ['a character cut in two', [Buffer.from([0xe6, 0xbc]), Buffer.from([0xa2, 0x0a])], '漢'],
    ['lines of a program that sends no carriage return', ['a\nb'], 'a\n b'],
    ['a title', ['\x1b]0;title\x07text'], 'text'],
    ['a link', ['\x1b]8;;http://example.org\x07link\x1b]8;;\x07'], 'link'],
  ])('%s', async (_name, chunks, expected) => {
    expect(await shown(chunks)).toBe(expected)
  })

  test('comes once when it is taken in parts', async () => {
    const screen = new Screen(emulator, () => {})
    let all = ''
    for (let n = 0; n < 500; n++) {
      screen.write(Buffer.from(`line ${n}\r\n`))
      if (n % 7 === 0) all += (await screen.take()).scrolled
    }
    const { scrolled, visible } = await screen.take()
    expect((all + scrolled + visible).split('\n')).toEqual(Array.from({ length: 500 }, (_, n) => `line ${n}`))
  })
})

function cut(bytes: Buffer, sizes: number[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}
