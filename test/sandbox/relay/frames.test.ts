import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FRAME, FrameReader, frame, MAX_CONTENT } from '../../../server/sandbox/relay/frames.ts'

test('frames come out as they went in, however they are cut', () => {
  const content = fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes))
  const connection = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  const frames = fc.array(fc.record({ kind: fc.constantFrom(...Object.values(FRAME)), connection, content }))
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 50 }), (sent, size) => {
      const bytes = Buffer.concat(sent.map(each => frame(each.kind, each.connection, each.content)))
      const reader = new FrameReader()
      const received: unknown[] = []
      for (let at = 0; at < bytes.length; at += size) {
        for (const each of reader.push(bytes.subarray(at, at + size)))
          received.push({ ...each, content: Buffer.from(each.content) })
      }
      expect(received).toEqual(sent)
    }),
  )
})

test('a frame that is too long is refused before it has come', () => {
  const head = Buffer.alloc(9)
  head.writeUInt32BE(MAX_CONTENT + 1, 5)
  expect(() => new FrameReader().push(head)).toThrow(RangeError)
})
