import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import type { PipedProcess, SandboxHandle } from '../../domain/sandbox-handle.ts'
import { type Launch, launch } from './launch.ts'
import type { ServerLog } from './server-log.ts'

/** A message over this is no message that anybody could use. */
const MAX_MESSAGE_BYTES = 10 * 2 ** 20

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
    this.#read(process)
    await process.write(input)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#process || this.#closed) throw new Error('The server is not running.')
    await this.#process.write(serializeMessage(message))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#starting.abort(new Error('The start was given up.'))
    await this.#process?.close()
    this.onclose?.()
  }

  #read(process: PipedProcess): void {
    const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES })
    process.stdout.on('data', (chunk: Buffer) => {
      try {
        buffer.append(chunk)
      } catch (error) {
        this.#log.add(`It sent a message of more than ${MAX_MESSAGE_BYTES / 2 ** 20} MB, so it was stopped.`)
        this.onerror?.(error as Error)
        void this.close()
        return
      }
      this.#deliver(buffer)
    })
    process.stderr.on('data', (chunk: Buffer) => this.#log.write(chunk))
    void process.ended.then(code => this.#ended(code))
  }

  /** What is no message is left out: many servers print to their standard output now and then. */
  #deliver(buffer: ReadBuffer): void {
    for (;;) {
      try {
        const message = buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        this.#log.add('It sent something that is no message of the protocol.')
        this.onerror?.(error as Error)
      }
    }
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
