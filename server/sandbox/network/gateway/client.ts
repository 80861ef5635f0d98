import { createInterface } from 'node:readline'
import { z } from 'zod'
import { NETWORK_VERDICTS } from '../../../api/v1/sandbox/network.ts'
import type { ExecStream } from '../../../docker/engine.ts'
import { AppError } from '../../../domain/errors.ts'

const line = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ done: z.int() }),
  z.object({ failed: z.int(), reason: z.string() }),
  z.object({ attempt: z.tuple([z.string(), z.string().nullable(), z.int(), z.enum(NETWORK_VERDICTS), z.int()]) }),
])

/** That a program in a sandbox tried to reach a host, `count` times. */
export interface Attempt {
  sandboxId: string
  host: string | null
  port: number
  verdict: (typeof NETWORK_VERDICTS)[number]
  count: number
}

/** All that the gateway is to know, as `GATEWAY_PROGRAM` takes it. */
export interface GatewayState {
  sandboxes: readonly (readonly [address: string, id: string])[]
  exact: readonly string[]
  below: readonly string[]
  hosts: readonly (readonly [name: string, address: string])[]
  end: readonly string[]
}

/** An answer takes milliseconds, its first one as long as two programs take to start. */
const ANSWER_MS = 15_000
const MAX_SAID = 2000

/** Talks to the program of a gateway. */
export class GatewayClient {
  readonly #stream: ExecStream
  readonly #waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>()
  #last = 0
  #said = ''
  #problem: AppError | undefined
  /** Resolves when it can be used no more. */
  readonly ended: Promise<void>

  constructor(stream: ExecStream, onAttempt: (attempt: Attempt) => void) {
    this.#stream = stream
    stream.stderr.on('data', (chunk: Buffer) => {
      this.#said = `${this.#said}${chunk}`.slice(-MAX_SAID)
    })
    createInterface({ input: stream.stdout }).on('line', text => this.#read(text, onAttempt))
    this.ended = stream.exitCode.then(() => this.#lose())
  }

  /** Resolves when it takes connections. @throws AppError engine_failed */
  ready(): Promise<void> {
    return this.#answer(0)
  }

  /** Resolves when it holds. @throws AppError engine_failed */
  set(state: GatewayState): Promise<void> {
    return this.#ask(state)
  }

  /** Resolves when every attempt up to now was reported. @throws AppError engine_failed */
  flush(): Promise<void> {
    return this.#ask({ flush: true })
  }

  close(): void {
    this.#lose()
    this.#stream.close()
  }

  async #ask(what: GatewayState | { flush: true }): Promise<void> {
    this.#last += 1
    const number = this.#last
    const done = this.#answer(number)
    this.#stream.write(`${JSON.stringify({ number, ...what })}\n`).catch(() => this.#lose())
    await done
  }

  #answer(number: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#problem) return reject(this.#problem)
      const late = setTimeout(() => {
        this.#settle(number, failed(`It did not answer within ${ANSWER_MS / 1000} s. ${this.#said.trim()}`))
      }, ANSWER_MS)
      const settled = (settle: () => void) => {
        clearTimeout(late)
        settle()
      }
      this.#waiting.set(number, {
        resolve: () => settled(resolve),
        reject: error => settled(() => reject(error)),
      })
    })
  }

  #read(text: string, onAttempt: (attempt: Attempt) => void): void {
    const read = line.safeParse(parsed(text))
    if (!read.success) return
    if ('attempt' in read.data) {
      const [sandboxId, host, port, verdict, count] = read.data.attempt
      onAttempt({ sandboxId, host, port, verdict, count })
    } else if ('ready' in read.data) this.#settle(0)
    else if ('done' in read.data) this.#settle(read.data.done)
    else this.#settle(read.data.failed, failed(read.data.reason))
  }

  #settle(number: number, problem?: AppError): void {
    const waiting = this.#waiting.get(number)
    this.#waiting.delete(number)
    if (problem) waiting?.reject(problem)
    else waiting?.resolve()
  }

  #lose(): void {
    this.#problem ??= failed(`It ended. ${this.#said.trim()}`)
    for (const number of [...this.#waiting.keys()]) this.#settle(number, this.#problem)
  }
}

function failed(why: string): AppError {
  return new AppError('engine_failed', `The gateway that lets sandboxes reach allowed hosts failed. ${why.trim()}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
