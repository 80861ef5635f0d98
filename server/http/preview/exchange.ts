import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Notice, noticeOf, showNotice } from './pages.ts'

/** How a request is carried out that may be. */
export interface Exchange {
  /** Where the request goes. */
  connect(signal: AbortSignal): Promise<Duplex>
  path: string
  headers: OutgoingHttpHeaders
  /** The head of the answer, from that of the program. */
  answerHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders | Promise<OutgoingHttpHeaders>
}

/** Carries a request out, or shows why not. */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  admit: () => Promise<Exchange | Notice>,
): Promise<void> {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  try {
    const admitted = await admit()
    if ('status' in admitted) return showNotice(request, response, admitted)
    const connection = await admitted.connect(closed.signal)
    closed.signal.addEventListener('abort', () => connection.destroy(), { once: true })
    // Node would wait for an answer on it for ever.
    if (connection.destroyed) throw new Error('It was gone before anything was sent.')
    const asked = send({
      method: request.method ?? 'GET',
      path: admitted.path,
      headers: admitted.headers,
      setHost: false,
      createConnection: () => connection as never,
    })
    // A program may answer before it has read all of the request.
    pipeline(request, asked).catch(() => {})
    const answered = await answerOf(asked)
    response.writeHead(answered.statusCode ?? 502, await admitted.answerHeaders(answered.headers))
    await pipeline(answered, response)
  } catch (error) {
    if (!closed.signal.aborted) showNotice(request, response, noticeOf(error))
  }
}

function answerOf(asked: ReturnType<typeof send>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve)
    asked.once('error', reject)
    // Also where it answers what nobody asked for, another protocol.
    asked.once('close', () => reject(new Error('The program in the sandbox has given no answer.')))
  })
}

/** Makes a connection of a request, or says why not. @param refused with what words, where that failed */
export async function takeOver(
  socket: Duplex,
  work: (closed: AbortSignal) => Promise<void>,
  refused = noticeOf,
): Promise<void> {
  const closed = new AbortController()
  socket.once('close', () => closed.abort())
  // Its end is heard by `close`; an error that nobody listens for would end the process.
  socket.on('error', () => {})
  try {
    await work(closed.signal)
  } catch (error) {
    refuse(socket, refused(error))
  }
}

/** The bytes of both sides, until one of them ends. */
export async function joined(a: Duplex, b: Duplex): Promise<void> {
  await Promise.all([pipeline(a, b), pipeline(b, a)])
}

/** The answer to a request that was to become a connection. */
export function refuse(socket: Duplex, { status, title }: Notice, headers: readonly string[] = []): void {
  if (socket.destroyed || !socket.writable) return
  const head = [`HTTP/1.1 ${status} ${title}`, ...headers, 'Connection: close', 'Content-Length: 0']
  socket.end(`${head.join('\r\n')}\r\n\r\n`)
}
