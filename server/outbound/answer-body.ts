import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError, toOutboundError } from './problem.ts'

/** What an answer may take. Everything is counted after decompression. */
export interface AnswerLimits {
  /** Bytes of the whole answer. */
  bytes: number
  /** In the place of `bytes`, `silenceMs` and `totalMs` where the answer is a stream of events. */
  stream?: {
    bytes: number
    /** Between two empty lines. */
    eventBytes: number
    silenceMs: number
  }
  /** Until the headers of the answer have come, from the search for a proxy on and with all redirects. */
  headersMs: number
  /** Between two pieces of the answer. */
  silenceMs: number
  /** Until the end of the answer, counted from its headers. */
  totalMs: number
}

const QUEUED_BYTES = 65_536

/** The body as it comes, at the reader's pace. It fails with an OutboundError, or with the signal's reason. */
export function boundedBody(
  answer: IncomingMessage,
  limits: AnswerLimits,
  { host, signal }: { host: string; signal: AbortSignal },
): ReadableStream<Uint8Array> {
  const source = decoded(answer)
  const { bytes, eventBytes, silenceMs, totalMs } = bodyLimits(answer, limits)
  const exceeded = counter(bytes, eventBytes, host)
  let silence: NodeJS.Timeout | undefined
  const stopWaiting = () => clearTimeout(silence)
  const wait = () => {
    stopWaiting()
    if (Number.isFinite(silenceMs)) silence = setTimeout(() => fail(silent(host, silenceMs)), silenceMs)
  }
  let fail: (error: unknown) => void = () => {}
  const late = Number.isFinite(totalMs) ? setTimeout(() => fail(tooSlow(host, totalMs)), totalMs) : undefined
  let ended = false
  const aborted = () => fail(signal.reason)
  const end = (act: () => void) => {
    if (ended) return
    ended = true
    stopWaiting()
    clearTimeout(late)
    signal.removeEventListener('abort', aborted)
    act()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = error =>
          end(() => {
            controller.error(error)
            answer.destroy()
          })
        if (signal.aborted) return aborted()
        signal.addEventListener('abort', aborted, { once: true })
        source.on('data', (chunk: Buffer) => {
          if (ended) return
          const problem = exceeded(chunk)
          if (problem) return fail(problem)
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) > 0) return wait()
          stopWaiting()
          source.pause()
        })
        source.on('end', () => end(() => controller.close()))
        source.on('error', error => fail(toOutboundError(error, host)))
        if (source !== answer) answer.on('error', error => fail(toOutboundError(error, host)))
        answer.on('close', () => {
          if (!answer.complete) fail(new OutboundError('broken', `The connection to ${host} broke.`))
        })
        source.pause()
      },
      async pull() {
        // What comes fast would otherwise be read, and handled by the reader, in one turn of the event loop.
        await nextTurn()
        if (ended) return
        wait()
        source.resume()
      },
      cancel() {
        end(() => answer.destroy())
      },
    },
    { highWaterMark: QUEUED_BYTES, size: chunk => chunk?.byteLength ?? 0 },
  )
}

function bodyLimits(answer: IncomingMessage, { stream, ...whole }: AnswerLimits) {
  const isStream = /^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '')
  return stream && isStream
    ? { ...stream, totalMs: Number.POSITIVE_INFINITY }
    : { ...whole, eventBytes: Number.POSITIVE_INFINITY }
}

function tooSlow(host: string, totalMs: number): OutboundError {
  return new OutboundError('timeout', `The answer of ${host} took longer than ${seconds(totalMs)}.`)
}

function silent(host: string, silenceMs: number): OutboundError {
  return new OutboundError('timeout', `${host} sent nothing for ${seconds(silenceMs)}.`)
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} seconds`
}

/** We ask for none of these, but some servers compress whatever was asked. */
function decoded(answer: IncomingMessage): Readable {
  switch (answer.headers['content-encoding']?.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return answer.pipe(createGunzip())
    case 'deflate':
      return answer.pipe(createInflate())
    case 'br':
      return answer.pipe(createBrotliDecompress())
    default:
      return answer
  }
}

/** @returns what is wrong with the answer once a piece is too much */
function counter(limit: number, eventLimit: number, host: string) {
  let bytes = 0
  let inEvent = 0
  return (chunk: Buffer): OutboundError | undefined => {
    bytes += chunk.length
    if (bytes > limit) return tooLarge(host, limit)
    if (!Number.isFinite(eventLimit)) return undefined
    const end = endOfEvent(chunk)
    inEvent = end === -1 ? inEvent + chunk.length : chunk.length - end
    return inEvent > eventLimit ? tooLarge(host, eventLimit) : undefined
  }
}

export function tooLarge(host: string, limit: number): OutboundError {
  return new OutboundError('too-large', `${host} answered with more than ${limit.toLocaleString('en-US')} bytes.`)
}

/** Behind the last empty line, or -1. One that is split between two pieces goes unseen, which only counts an event too long. */
function endOfEvent(chunk: Buffer): number {
  const plain = chunk.lastIndexOf('\n\n')
  const withReturns = chunk.lastIndexOf('\n\r\n')
  return Math.max(plain === -1 ? -1 : plain + 2, withReturns === -1 ? -1 : withReturns + 3)
}
