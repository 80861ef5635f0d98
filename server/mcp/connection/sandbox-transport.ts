import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { Slices } from '../../async/slices.ts'
import type { PipedProcess, SandboxHandle } from '../../domain/sandbox-handle.ts'
import { type Launch, launch } from './launch.ts'
import { MessageLines } from './message-lines.ts'
import { MessageRate } from './message-rate.ts'
import type { ServerLog } from './server-log.ts'

/** A message over this is no message that anybody could use. */
const MAX_MESSAGE_BYTES = 10 * 2 ** 20
/** Of ours, which a server that reads nothing leaves with us: it may ask for answers without end. */
const MAX_UNREAD_MESSAGES = 1000

export interface SandboxCommand {
  command: string
  args: string[]
  env: Record<string, string>
  cwd: string | null
  guard: readonly { path: string; text: string }[]
}

/** The protocol over the pipes of a process in a sandbox: one JSON message a line. What it says on stderr goes to the log. */
export class SandboxTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  /** How the process ended; undefined while it goes on, or when it was asked to end. */
  exitCode: number | undefined
  readonly #sandbox: () => Promise<SandboxHandle>
  readonly #command: SandboxCommand
  readonly #log: ServerLog
  readonly #starting = new AbortController()
  #process: PipedProcess | undefined
  #closed = false
  #unread = 0

  constructor(sandbox: () => Promise<SandboxHandle>, command: SandboxCommand, log: ServerLog) {
    this.#sandbox = sandbox
    this.#command = command
    this.#log = log
  }

  async start(): Promise<void> {
    const sandbox = await this.#sandbox()
    this.#starting.signal.throwIfAborted()
    const { argv, input }: Launch = launch(this.#command)
    const { cwd } = this.#command
    const signal = this.#starting.signal
    const process = await sandbox.openPiped({ argv, signal, ...(cwd !== null && { cwd }) })
    this.#process = process
    void this.#read(process)
    await process.write(input)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#process || this.#closed) throw new Error('The server is not running.')
    this.#unread++
    if (this.#unread > MAX_UNREAD_MESSAGES) this.#stop('It reads nothing of what it is sent, so it was stopped.')
    try {
      await this.#process.write(serializeMessage(message))
    } finally {
      this.#unread--
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#starting.abort(new Error('The start was given up.'))
    await this.#process?.close()
    this.onclose?.()
  }

  async #read(process: PipedProcess): Promise<void> {
    const reading = [this.#readMessages(process.stdout), this.#readLog(process.stderr)]
    const code = await process.ended
    // An output that breaks off ends like any other.
    await Promise.allSettled(reading)
    this.#ended(code)
  }

  /** In slices, at our pace: what waits is held back in the sandbox. */
  async #readMessages(stdout: AsyncIterable<Buffer>): Promise<void> {
    const lines = new MessageLines(MAX_MESSAGE_BYTES)
    const rate = new MessageRate()
    const slices = new Slices()
    for await (const chunk of stdout) {
      try {
        for (const line of lines.linesOf(chunk)) {
          if (!rate.admits(line.length)) return this.#stop('It sends messages without end, so it was stopped.')
          this.#deliver(line)
          if (slices.due()) await slices.turn()
          if (this.#closed) return
        }
      } catch {
        return this.#stop(`It sent a message of more than ${MAX_MESSAGE_BYTES / 2 ** 20} MB, so it was stopped.`)
      }
      if (slices.due()) await slices.turn()
    }
  }

  async #readLog(stderr: AsyncIterable<Buffer>): Promise<void> {
    const slices = new Slices()
    for await (const chunk of stderr) {
      this.#log.write(chunk)
      if (slices.due()) await slices.turn()
    }
  }

  /** What is no message is left out: many servers print to their standard output now and then. */
  #deliver(line: string): void {
    try {
      this.onmessage?.(deserializeMessage(line))
    } catch (error) {
      if (error instanceof SyntaxError) return
      this.#log.add('It sent something that is no message of the protocol.')
      this.onerror?.(error as Error)
    }
  }

  #stop(why: string): void {
    if (this.#closed) return
    this.#log.add(why)
    void this.close()
  }

  #ended(code: number): void {
    this.#log.flush()
    if (this.#closed) return
    this.#closed = true
    this.exitCode = code
    this.#log.add(code === -1 ? 'The connection to it broke.' : `It ended with exit code ${code}.`)
    this.onclose?.()
  }
}
