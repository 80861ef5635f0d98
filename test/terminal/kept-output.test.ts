import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeptOutput } from '../../server/terminal/kept-output.ts'

const textOf = (output: KeptOutput) => output.read(output.start, output.end - output.start).toString()

test('all of a short output is kept', () => {
  const output = new KeptOutput(1024)
  output.append(Buffer.from('one\r\n'))
  output.append(Buffer.from('two'))
  expect([output.start, output.end, textOf(output), output.sequencesBefore()]).toEqual([0, 8, 'one\r\ntwo', ''])
})

test('the oldest lines go first, and their modes stay', () => {
  const output = new KeptOutput(64)
  output.append(Buffer.from('\x1b[?1049h\x1b[1mfirst line\n'))
  for (let line = 0; line < 20; line++) output.append(Buffer.from(`line ${line}\n`))
  expect(textOf(output)).toMatch(/^line \d+\n[\s\S]*line 19\n$/)
  expect(output.end - output.start).toBeLessThanOrEqual(64)
  expect(output.sequencesBefore()).toBe('\x1b[?1049h\x1b[1m')
  expect(output.isPartOfScreenLost()).toBe(true)
  output.append(Buffer.from('\x1b[?1049l'))
  expect(output.isPartOfScreenLost()).toBe(false)
})

test('a line without end is cut between characters and outside of sequences', () => {
  const output = new KeptOutput(64)
  for (let at = 0; at < 40; at++) output.append(Buffer.from('äö\x1b[31m'))
  expect(textOf(output).replaceAll('\x1b[31m', '')).toMatch(/^[äö]+$/)
})

test('whatever comes, in whatever pieces: the newest bytes, within the bound', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 40 }), pieces => {
      const output = new KeptOutput(256)
      for (const piece of pieces) output.append(Buffer.from(piece))
      const all = Buffer.concat(pieces)
      const kept = output.read(output.start, 256)
      expect(output.end).toBe(all.length)
      expect(kept.length).toBeLessThanOrEqual(256)
      expect(kept).toEqual(all.subarray(output.start))
    }),
  )
})
