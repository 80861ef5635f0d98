import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { type BrowserEvent, Connection } from '../../server/browser/connection.ts'
import { MessageBuffer } from '../../server/browser/message-buffer.ts'
import { BrowserEnded, BrowserProblem, CommandRefused } from '../../server/browser/problem.ts'

/** A pipe whose other end is the test. */
function connect() {
  const stdout = new PassThrough()
  const sent: { id: number; method: string; sessionId?: string }[] = []
  const events: BrowserEvent[] = []
  let ends = 0
  const write = async (data: string) => void sent.push(JSON.parse(data.slice(0, -1)))
  const connection = new Connection({ stdout, write }, { onEvent: event => events.push(event), onEnd: () => ends++ })
  const say = (...messages: unknown[]) => {
    for (const message of messages) stdout.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\0`)
  }
  return { connection, stdout, sent, events, say, ends: () => ends }
}

describe('a connection', () => {
  test('gives each answer to who asked, whatever its order, and events to the listener', async () => {
    const { connection, say, events } = connect()
    const first = connection.send('First')
    const second = connection.send('Second', {}, { sessionId: 's' })
    say({ method: 'Happened', params: { a: 1 }, sessionId: 's' }, { id: 2, result: 'two' }, { id: 1, result: 'one' })
    expect(await Promise.all([first, second])).toEqual(['one', 'two'])
    expect(events).toEqual([{ method: 'Happened', params: { a: 1 }, sessionId: 's' }])
  })

  test('passes over what is no message, and answers that nobody waits for', async () => {
    const { connection, say } = connect()
    const answer = connection.send('First')
    say('not JSON', '{"id":', 'null', '[]', '"text"', { id: 'one' }, { id: 99, result: 1 }, { method: 7 }, '')
    say({ id: 1, result: 'here' })
    expect(await answer).toBe('here')
  })

  test('says a refusal in the browser’s words', async () => {
    const { connection, say } = connect()
    const answer = connection.send('First')
    say({ id: 1, error: { code: -32000, message: 'No such node' } })
    await expect(answer).rejects.toThrow(new CommandRefused('No such node'))
  })

  test('waits no longer than it was told, nor after an abort', async () => {
    const { connection } = connect()
    await expect(connection.send('Slow', {}, { timeoutMs: 10 })).rejects.toThrow(BrowserProblem)
    const abort = new AbortController()
    const answer = connection.send('Slow', {}, { signal: abort.signal })
    const reason = new Error('stop')
    abort.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })

  test('ends once, for all who wait and who come later', async () => {
    const { connection, stdout, ends } = connect()
    const waiting = connection.send('First')
    stdout.end()
    await expect(waiting).rejects.toBeInstanceOf(BrowserEnded)
    await expect(connection.send('Later')).rejects.toBeInstanceOf(BrowserEnded)
    connection.end('again')
    expect([connection.ended, ends()]).toEqual([true, 1])
  })

  test('gives up what is waited for in one tab alone', async () => {
    const { connection, say } = connect()
    const closed = connection.send('A', {}, { sessionId: 'one' })
    const other = connection.send('B', {}, { sessionId: 'two' })
    connection.refuse('one', 'The tab was closed.')
    await expect(closed).rejects.toThrow('The tab was closed.')
    say({ id: 2, result: 'fine' })
    expect(await other).toBe('fine')
  })
})

describe('messages', () => {
  test('are cut at zero bytes, however the bytes come', () => {
    const bytes = Buffer.from('first\0zwölf\0\0last')
    for (let size = 1; size <= bytes.length; size++) {
      const buffer = new MessageBuffer(100)
      const got: (string | undefined)[] = []
      for (let at = 0; at < bytes.length; at += size)
        got.push(...(buffer.append(bytes.subarray(at, at + size)) ?? [undefined]))
      expect(got).toEqual(['first', 'zwölf', ''])
    }
  })

  test('without an end are refused when they grow too long', () => {
    const buffer = new MessageBuffer(10)
    expect(buffer.append(Buffer.from('12345'))).toEqual([])
    expect(buffer.append(Buffer.from('678901'))).toBeUndefined()
  })
})
