import { PassThrough } from 'node:stream'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { put } from '../../docker/command/stream.ts'
import type { ExecStream } from '../../docker/engine.ts'
import { ProcessInput } from './input.ts'
import type { LaunchMode } from './launch.ts'
import { MarkedEnd } from './marked-end.ts'
import { MarkedOutput } from './marked-output.ts'

const CHANNEL = { stdout: 1, stderr: 2, status: 3 } as const
/** How long one that has ended is listened to when the server says nothing more. */
const LAST_WORD_MS = 500
/** What a program that it has left behind goes on writing is not waited for: the output of its own is here by then. */
const LAST_OUTPUT_MS = 5000
const LAST_OUTPUT_BYTES = 2 ** 20
/** Balancers between here and there give up what is silent. */
const PING_MS = 20_000
/** More messages wait in the connection, and so in the process. */
const MAX_WAITING = 4

const statusMessage = z.object({
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
  details: z
    .object({
      causes: z.array(z.object({ reason: z.string().optional(), message: z.string().optional() })).optional(),
    })
    .optional(),
})

/** The container runtime could not start anything: as a shell says it that cannot. */
const NOT_STARTED = 126

export interface ProcessOptions {
  mode: LaunchMode
  mark: string
  header: Buffer
  tty?: { cols: number; rows: number } | undefined
  signal?: AbortSignal | undefined
}

/** A process in a container, over a connection that the API server has accepted for it. */
export function processOver(socket: WebSocket, options: ProcessOptions): ExecStream {
  const process = new RemoteProcess(socket, options)
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    write: data => process.write(data),
    endInput: () => process.input.end(),
    resize: (cols, rows) => process.input.resize({ cols, rows }),
    begun: process.begun,
    untilBegun: () => process.begun,
    exitCode: process.exitCode,
    close: () => process.close(),
  }
}

class RemoteProcess {
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly begun: Promise<void>
  readonly exitCode: Promise<number>
  readonly input: ProcessInput
  readonly #socket: WebSocket
  readonly #terminal: MarkedOutput | undefined
  readonly #errors: MarkedEnd | undefined
  readonly #closed: Promise<void>
  #begin = () => {}
  #exitCode: number | undefined
  #lastWord: NodeJS.Timeout | undefined
  #endedAt = Number.POSITIVE_INFINITY
  #bytesAfterEnd = 0
  /** Messages that are not taken yet; they are, one after the other. */
  #waiting = 0
  #taken: Promise<void> = Promise.resolve()
  #isClosedHere = false

  constructor(socket: WebSocket, { mode, mark, header, tty, signal }: ProcessOptions) {
    this.#socket = socket
    this.input = new ProcessInput(socket, mode)
    this.#terminal = mode === 'terminal' ? new MarkedOutput(mark, () => void this.input.send(header)) : undefined
    this.#errors = mode === 'framed' ? new MarkedEnd(mark, code => this.#hasEnded(code)) : undefined
    this.begun = new Promise(resolve => {
      this.#begin = resolve
    })
    socket.on('message', data => this.#receive(data as Buffer))
    this.#closed = new Promise(resolve => socket.once('close', () => resolve()))
    const stopPings = keepAlive(socket, this.input)
    const abort = () => socket.terminate()
    signal?.addEventListener('abort', abort, { once: true })
    this.exitCode = this.#closed.then(() => {
      stopPings()
      signal?.removeEventListener('abort', abort)
      return this.#end()
    })
    if (mode !== 'terminal') void this.input.send(header)
    if (tty) void this.input.resize(tty)
    if (signal?.aborted) abort()
    socket.resume()
  }

  async write(data: string | Buffer): Promise<void> {
    if (this.#terminal) await Promise.race([this.#terminal.begun, this.#closed])
    return this.input.write(data)
  }

  close(): void {
    this.#isClosedHere = true
    this.#socket.terminate()
  }

  /** A reader that is slow holds the process back. */
  #receive(data: Buffer): void {
    if (++this.#waiting > MAX_WAITING) this.#socket.pause()
    this.#taken = this.#taken
      .then(() => this.#take(data))
      .catch(() => {})
      .then(() => {
        if (--this.#waiting <= MAX_WAITING / 2 && this.#socket.isPaused) this.#socket.resume()
      })
  }

  async #take(data: Buffer): Promise<void> {
    const [channel] = data
    const content = data.subarray(1)
    if (content.length === 0) return
    if (channel === CHANNEL.status) this.#exitCode ??= await statusOf(content, this.stdout)
    this.#begin()
    if (this.#lastWord) this.#takeLate(channel, content)
    if (channel === CHANNEL.stderr) await put(this.stderr, this.#errors?.take(content) ?? content, this.stdout)
    if (channel === CHANNEL.stdout) await put(this.stdout, this.#terminal?.take(content) ?? content, this.stderr)
  }

  #hasEnded(exitCode: number): void {
    this.#exitCode ??= exitCode
    this.input.finish()
    this.#endedAt = Date.now()
    this.#lastWord = setTimeout(() => this.#giveUp(), LAST_WORD_MS)
  }

  /** Its errors have ended with the mark; its output comes another way. */
  #takeLate(channel: number | undefined, content: Buffer): void {
    this.#bytesAfterEnd += content.length
    if (this.#bytesAfterEnd > LAST_OUTPUT_BYTES) this.#socket.terminate()
    else if (channel === CHANNEL.stdout && Date.now() - this.#endedAt < LAST_OUTPUT_MS) this.#lastWord?.refresh()
  }

  /** What came before is still on its way to a slow reader. */
  #giveUp(): void {
    if (this.#waiting > 0) this.#lastWord?.refresh()
    else this.#socket.terminate()
  }

  /** What was read is delivered, unless its reader has closed. */
  async #end(): Promise<number> {
    clearTimeout(this.#lastWord)
    if (!this.#isClosedHere) await this.#taken
    const rest = this.#errors?.rest()
    if (rest?.length) this.stderr.write(rest)
    this.stdout.end()
    this.stderr.end()
    this.#begin()
    return this.#exitCode ?? -1
  }
}

/** undefined where the server does not know. What the runtime says that could not start it comes as output, as elsewhere. */
async function statusOf(content: Buffer, stdout: PassThrough): Promise<number | undefined> {
  const { status, reason, message = '', details } = statusMessage.parse(JSON.parse(content.toString()))
  if (status === 'Success') return 0
  if (reason === 'NonZeroExitCode') {
    const code = Number(details?.causes?.find(cause => cause.reason === 'ExitCode')?.message)
    return Number.isInteger(code) ? code : undefined
  }
  if (!/exec failed|executable file not found|no such file/i.test(message)) return undefined
  await put(stdout, Buffer.from(message))
  return NOT_STARTED
}

/** A server that hands input over to a program that takes none hears nothing else meanwhile: that is no sign of its end. */
function keepAlive(socket: WebSocket, input: Pick<ProcessInput, 'sentBytes'>): () => void {
  let isAlive = true
  let sentBefore = 0
  socket.on('pong', () => {
    isAlive = true
    sentBefore = input.sentBytes
  })
  const timer = setInterval(() => {
    // What is held back here cannot hear an answer.
    if (!isAlive && !socket.isPaused && input.sentBytes === sentBefore) return socket.terminate()
    isAlive = false
    if (socket.readyState === socket.OPEN) socket.ping()
  }, PING_MS).unref()
  return () => clearInterval(timer)
}
