import { once } from 'node:events'
import { expect, test } from 'vitest'
import { PortClosed } from '../../../server/domain/port-closed.ts'
import { RelayedConnection } from '../../../server/sandbox/relay/connection.ts'
import { FRAME, type FrameKind, WINDOW } from '../../../server/sandbox/relay/frames.ts'

function connection() {
  const sent: { kind: FrameKind; size: number }[] = []
  const stream = new RelayedConnection({ host: null, port: 5173 }, (kind, content) =>
    sent.push({ kind, size: content?.length ?? 0 }),
  )
  stream.on('error', () => {})
  const receive = (kind: FrameKind, content = Buffer.alloc(0)) => stream.receive({ kind, connection: 1, content })
  const bytesSent = () => sent.filter(({ kind }) => kind === FRAME.data).reduce((sum, { size }) => sum + size, 0)
  return { stream, sent, receive, bytesSent }
}

const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

test('no more is sent than the other side has room for, and the rest once it has taken some', async () => {
  const { stream, receive, bytesSent } = connection()
  let isWritten = false
  stream.write(Buffer.alloc(WINDOW + 1000), () => {
    isWritten = true
  })
  expect(bytesSent()).toBe(WINDOW)
  receive(FRAME.taken, number(400))
  expect(bytesSent()).toBe(WINDOW + 400)
  receive(FRAME.taken, number(WINDOW))
  expect(bytesSent()).toBe(WINDOW + 1000)
  await expect.poll(() => isWritten).toBe(true)
})

test('what nobody reads is not reported as taken', async () => {
  const { stream, sent, receive } = connection()
  for (let count = 0; count < WINDOW / 16_384; count++) receive(FRAME.data, Buffer.alloc(16_384))
  await new Promise(resolve => setImmediate(resolve))
  const taken = () => sent.filter(({ kind }) => kind === FRAME.taken).length
  expect(taken()).toBeLessThanOrEqual(1)
  const before = taken()
  stream.resume()
  await expect.poll(taken).toBeGreaterThan(before)
})

test('more than was asked for is refused, so that nobody can fill the memory', () => {
  const { receive } = connection()
  const flood = () => {
    for (let count = 0; count <= (2 * WINDOW) / 16_384; count++) receive(FRAME.data, Buffer.alloc(16_384))
  }
  expect(flood).toThrow(RangeError)
})

test('a port that nobody listens at rejects in words, and nothing is sent for it', async () => {
  const { stream, sent, receive } = connection()
  receive(FRAME.failed, Buffer.from('ECONNREFUSED'))
  await expect(stream.opened).rejects.toThrow(PortClosed)
  expect(stream.destroyed).toBe(true)
  expect(sent).toEqual([])
})

test('one that is given up is broken off, and one that has ended on both sides is not', async () => {
  const given = connection()
  given.receive(FRAME.opened)
  given.stream.destroy()
  await once(given.stream, 'close')
  expect(given.sent).toEqual([{ kind: FRAME.reset, size: 0 }])
  const whole = connection()
  whole.receive(FRAME.opened)
  whole.receive(FRAME.end)
  whole.stream.resume()
  whole.stream.end()
  await once(whole.stream, 'close')
  expect(whole.sent).toEqual([{ kind: FRAME.end, size: 0 }])
})
