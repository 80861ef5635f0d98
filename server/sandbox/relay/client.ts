import type { Duplex } from 'node:stream'
import type { ExecStream } from '../../docker/engine.ts'
import type { Destination } from '../../domain/port-closed.ts'
import { RelayedConnection } from './connection.ts'
import { FRAME, FrameReader, frame } from './frames.ts'

/** Loopback, on which a development server listens unless it is told otherwise, in both families. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Many connections into one sandbox, over the input and output of one relay. */
export class RelayClient {
  readonly #stream: ExecStream
  readonly #connections = new Map<number, RelayedConnection>()
  readonly #reader = new FrameReader()
  #last = 0
  #isOver = false
  /** Resolves when it can be used no more. */
  readonly ended: Promise<void>

  constructor(stream: ExecStream) {
    this.#stream = stream
    stream.stderr.resume()
    stream.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    this.ended = stream.exitCode.then(() => this.#lose())
  }

  /** How many connections are open. */
  get size(): number {
    return this.#connections.size
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** @throws PortClosed where nothing answers */
  async connect(destination: Destination, signal: AbortSignal): Promise<Duplex> {
    signal.throwIfAborted()
    if (this.#isOver) throw GONE
    this.#last = (this.#last + 1) % 2 ** 32
    const number = this.#last
    const connection = new RelayedConnection(destination, (kind, content) => this.#send(frame(kind, number, content)))
    this.#connections.set(number, connection)
    connection.once('close', () => this.#connections.delete(number))
    // Whoever uses it hears of its end by `close`; an error that nobody listens for would end the process.
    connection.on('error', () => {})
    const giveUp = () => connection.destroy()
    signal.addEventListener('abort', giveUp, { once: true })
    this.#send(frame(FRAME.open, number, Buffer.from([destination.port, ...hostsOf(destination)].join(' '))))
    try {
      await connection.opened
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
    return connection
  }

  close(): void {
    this.#lose()
    this.#stream.endInput()
    this.#stream.close()
  }

  #read(chunk: Buffer): void {
    try {
      for (const received of this.#reader.push(chunk)) this.#connections.get(received.connection)?.receive(received)
    } catch {
      this.close()
    }
  }

  #send(data: Buffer): void {
    if (!this.#isOver) this.#stream.write(data).catch(() => this.#lose())
  }

  #lose(): void {
    this.#isOver = true
    for (const connection of [...this.#connections.values()]) connection.lose(GONE)
  }
}

function hostsOf({ host }: Destination): readonly string[] {
  return host === null ? LOOPBACK : [host]
}

const GONE = new Error('The way into the sandbox is gone.')
