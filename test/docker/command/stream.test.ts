import { PassThrough } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { outputOf } from '../../../server/docker/command/stream.ts'

describe('output without a terminal', () => {
  test('is split into stdout and stderr', async () => {
    const source = new PassThrough()
    const output = outputOf(source, false)
    source.end(Buffer.concat([frame(1, 'one '), frame(2, 'oops'), frame(1, 'two')]))
    expect(await Promise.all([text(output.stdout), text(output.stderr)])).toEqual(['one two', 'oops'])
  })

  test('survives frames that arrive one byte at a time', async () => {
    const source = new PassThrough()
    const output = outputOf(source, false)
    for (const byte of Buffer.concat([frame(1, 'héllo'), frame(2, ''), frame(2, 'x')])) source.write(Buffer.of(byte))
    source.end()
    expect(await Promise.all([text(output.stdout), text(output.stderr)])).toEqual(['héllo', 'x'])
  })

  test('delivers large frames whole', async () => {
    const payload = Buffer.alloc(3 * 2 ** 20, 'ab')
    const source = new PassThrough()
    const output = outputOf(source, false)
    output.stderr.resume()
    source.end(frame(1, payload))
    expect((await buffer(output.stdout)).equals(payload)).toBe(true)
  })

  test('holds the engine back while nobody reads', async () => {
    const source = new PassThrough({ highWaterMark: 1024 })
    outputOf(source, false)
    source.write(frame(1, Buffer.alloc(64 * 1024)))
    const accepted = source.write(frame(1, Buffer.alloc(64 * 1024)))
    expect(accepted).toBe(false)
  })

  test.each(['before', 'after'])(
    'is read on one side %s much came on the other, which nobody reads yet',
    async when => {
      const source = new PassThrough()
      const output = outputOf(source, false)
      const much = Buffer.alloc(200 * 1024, 'x')
      const wait = () => new Promise(resolve => setImmediate(resolve))
      const first = when === 'before' ? text(output.stderr) : undefined
      source.write(Buffer.concat([frame(1, much), frame(1, much)]))
      await wait()
      source.end(Buffer.concat([frame(2, 'the first words'), frame(1, 'and the rest')]))
      await wait()
      expect(await (first ?? text(output.stderr))).toBe('the first words')
      expect(await text(output.stdout)).toBe(`${much}${much}and the rest`)
    },
  )

  test('ends when the connection breaks in the middle of a frame', async () => {
    const source = new PassThrough()
    const output = outputOf(source, false)
    source.write(frame(1, 'partial').subarray(0, 11))
    source.on('error', () => {})
    setImmediate(() => source.destroy(new Error('connection reset')))
    expect(await Promise.all([text(output.stdout), text(output.stderr)])).toEqual(['par', ''])
  })
})

test('output of a terminal is passed on as it is', async () => {
  const source = new PassThrough()
  const output = outputOf(source, true)
  source.end(frame(2, 'not a frame'))
  output.stderr.resume()
  expect((await buffer(output.stdout)).equals(frame(2, 'not a frame'))).toBe(true)
})

function frame(stream: number, payload: string | Buffer): Buffer {
  const body = Buffer.from(payload)
  const header = Buffer.alloc(8)
  header[0] = stream
  header.writeUInt32BE(body.length, 4)
  return Buffer.concat([header, body])
}
