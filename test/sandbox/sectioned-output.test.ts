import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SectionedOutput } from '../../server/sandbox/command/sectioned-output.ts'

const WORD = 'aabaabaac'

test('gives what came before the word, in whatever pieces it comes', async () => {
  const printed = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n') }).filter(each => !`${each}aab`.includes(WORD))
  await fc.assert(
    fc.asyncProperty(printed, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), async (before, sizes) => {
      const whole = Buffer.from(`${before}${WORD} 7\nof nobody`)
      const source = new Readable({ read() {} })
      const section = new SectionedOutput(source).section(WORD)
      for (let at = 0, turn = 0; at < whole.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        source.push(whole.subarray(at, at + size))
        at += size
      }
      expect(await text(section.stream)).toBe(before.slice(0, (before + WORD).indexOf(WORD)))
      expect(await section.ended).toBe('7')
    }),
  )
})

test('holds nothing back that cannot be the beginning of the word', async () => {
  const source = new Readable({ read() {} })
  const { stream } = new SectionedOutput(source).section(WORD)
  source.push('ready\n')
  for await (const chunk of stream) {
    expect(String(chunk)).toBe('ready\n')
    break
  }
})

test('says when the output ended without the word, and gives all of it', async () => {
  const section = new SectionedOutput(Readable.from([Buffer.from('cut off aab')])).section(WORD)
  expect(await text(section.stream)).toBe('cut off aab')
  expect(await section.ended).toBeUndefined()
})
