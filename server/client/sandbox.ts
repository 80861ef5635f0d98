import { searchBashEvents, startBashCommand } from '../api/agent-server/bash.ts'
import { archiveDirectory, createDirectory, downloadFile, uploadFile } from '../api/agent-server/files.ts'
import type { Route, RouteBodyInput, RouteReply } from '../api/contract/route.ts'
import {
  batchGetSandboxes,
  deleteSandbox,
  pauseSandbox,
  resumeSandbox,
  type SandboxInfo,
} from '../api/v1/sandbox/sandboxes.ts'
import { ApiError, timedOut } from './api-error.ts'
import { type Arguments, type Client, createClient } from './client.ts'
import type { Connection } from './connection.ts'

export interface RunOptions {
  /** Absolute path; the working directory of the sandbox unless it is given. */
  cwd?: string | undefined
  /** Seconds after which the command is ended; 300 unless they are given. */
  timeout?: number | undefined
  /** Gives up waiting; the command goes on until its time is over. */
  signal?: AbortSignal | undefined
  /** Each piece of the output, at the end at the latest. */
  onOutput?: ((text: string, from: 'stdout' | 'stderr') => void) | undefined
}

export interface CommandResult {
  /** Exit status; -1 for a command that was ended because its time was over, or that could not be started. */
  exitCode: number
  /** With values of secrets masked. */
  stdout: string
  stderr: string
  /** Whether the beginning is missing, as the service keeps 32 MiB for each sandbox. */
  isCut: boolean
}

interface Options {
  signal?: AbortSignal | undefined
}

/** As the service has it. */
const DEFAULT_TIMEOUT_SECONDS = 300
/** For the end of a command whose time is over. */
const GRACE_MS = 30_000
const FIRST_DELAY_MS = 15
const MAX_DELAY_MS = 500

/** One sandbox, by its id: commands and files, apart from any agent. It has to run; a paused one is resumed by the service. */
export class Sandbox {
  readonly id: string
  readonly #connection: Connection
  #gateway: Client | undefined

  constructor(connection: Connection, id: string) {
    this.#connection = connection
    this.id = id
  }

  /** The sandbox now. @throws ApiError sandbox_not_found */
  async info(signal?: AbortSignal): Promise<SandboxInfo> {
    const [info] = await this.#connection.call(batchGetSandboxes, { query: { id: [this.id] }, signal })
    if (info) return info
    throw new ApiError({ status: 404, code: 'sandbox_not_found', message: 'There is no sandbox with this id.' })
  }

  /** Runs a command in a shell of its own to its end. Its exit status is no error. @throws ApiError sandbox_not_running, timeout */
  async run(command: string, { cwd, timeout, signal, onOutput }: RunOptions = {}): Promise<CommandResult> {
    const body: RouteBodyInput<typeof startBashCommand> = { command, cwd, ...(timeout && { timeout }) }
    const { id } = await this.callGateway(startBashCommand, { body, signal })
    const waitMs = (timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000 + GRACE_MS
    const deadline = Date.now() + waitMs
    const result = { stdout: '', stderr: '', isCut: false }
    let next = 0
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 1.5, MAX_DELAY_MS)) {
      const query = { kind__eq: 'BashOutput' as const, command_id__eq: id, order__gt: next - 1 }
      const { items } = await this.callGateway(searchBashEvents, { query, signal })
      for (const item of items) {
        if (item.kind !== 'BashOutput') continue
        result.isCut ||= item.order > next
        next = item.order + 1
        for (const from of ['stdout', 'stderr'] as const) {
          if (item[from] === null) continue
          result[from] += item[from]
          onOutput?.(item[from], from)
        }
        if (item.exit_code !== null) return { ...result, exitCode: item.exit_code }
      }
      // Whoever clears the history takes the end of the command away too.
      if (Date.now() > deadline) throw timedOut(waitMs)
      if (items.length === 0) await pause(delay, signal)
    }
  }

  /** A file as bytes. @throws ApiError file_not_found */
  async readFile(path: string, options: Options = {}): Promise<Uint8Array> {
    const response = await this.#open(downloadFile, { query: { path }, ...options })
    return new Uint8Array(await response.arrayBuffer())
  }

  /** A file as UTF-8 text. @throws ApiError file_not_found */
  async readText(path: string, options: Options = {}): Promise<string> {
    return new TextDecoder().decode(await this.readFile(path, options))
  }

  /** A file as it comes. @throws ApiError file_not_found */
  async download(path: string, options: Options = {}): Promise<ReadableStream<Uint8Array>> {
    return bodyOf(await this.#open(downloadFile, { query: { path }, ...options }))
  }

  /**
   * Writes a file, and the folders above it. A Blob is sent as it is read, so that a large file need not be in memory:
   * `await openAsBlob(path)` of `node:fs`, or a File of a page. At most 100 MB.
   * @throws ApiError too_large
   */
  async writeFile(
    path: string,
    content: string | Uint8Array<ArrayBuffer> | Blob,
    options: Options = {},
  ): Promise<void> {
    const form = new FormData()
    form.set('file', content instanceof Blob ? content : new Blob([content]), 'file')
    // Large files take their time: what ends an upload is its signal.
    await (await this.#open(uploadFile, { query: { path }, form, ...options })).body?.cancel()
  }

  async createDirectory(path: string, options: Options = {}): Promise<void> {
    await this.callGateway(createDirectory, { query: { path }, ...options })
  }

  /** A whole folder as a compressed tar archive. @throws ApiError file_not_found */
  async archive(path: string, options: Options = {}): Promise<ReadableStream<Uint8Array>> {
    const query = { path, format: 'tar.gz' as const, use_default_excludes: false }
    return bodyOf(await this.#open(archiveDirectory, { query, ...options }))
  }

  /**
   * What differs in a repository from a commit, or from what it began with, as a patch that `git apply` takes. What git
   * ignores is left out. @throws ApiError not_a_repository
   */
  async patch(path: string, { baseRef, ...options }: Options & { baseRef?: string } = {}) {
    const query = { path, format: 'git-delta' as const, use_default_excludes: false, base_ref: baseRef }
    return bodyOf(await this.#open(archiveDirectory, { query, ...options }))
  }

  async pause(): Promise<void> {
    await this.#connection.call(pauseSandbox, { params: { sandbox_id: this.id } })
  }

  async resume(): Promise<void> {
    await this.#connection.call(resumeSandbox, { params: { sandbox_id: this.id } })
  }

  /** Deletes it with all its files. */
  async delete(): Promise<void> {
    await this.#connection.call(deleteSandbox, { params: { sandbox_id: this.id } })
  }

  /** One operation of the gateway with the key of this sandbox. @throws ApiError sandbox_not_running */
  async callGateway<R extends Route>(route: R, ...input: Arguments<R>): Promise<RouteReply<R>> {
    return this.#withGateway(gateway => gateway.call(route, ...input))
  }

  #open<R extends Route>(route: R, ...input: Arguments<R>): Promise<Response> {
    return this.#withGateway(gateway => gateway.open(route, ...input))
  }

  /** The key of a sandbox changes with the key of the app: a refused one is looked up again. */
  async #withGateway<T>(use: (gateway: Client) => Promise<T>): Promise<T> {
    const known = this.#gateway
    try {
      return await use(known ?? (await this.#findGateway()))
    } catch (error) {
      if (!known || !(error instanceof ApiError) || error.code !== 'unauthorized') throw error
      return use(await this.#findGateway())
    }
  }

  async #findGateway(): Promise<Client> {
    const { status, exposed_urls, session_api_key } = await this.info()
    const url = exposed_urls?.find(({ name }) => name === 'AGENT_SERVER')?.url
    if (url === undefined || session_api_key === null) {
      const message = `The sandbox does not run: it is ${status}.`
      throw new ApiError({ status: 409, code: 'sandbox_not_running', message })
    }
    this.#gateway = createClient({ url, key: session_api_key, timeoutMs: this.#connection.timeoutMs })
    return this.#gateway
  }
}

function bodyOf(response: Response): ReadableStream<Uint8Array> {
  return response.body ?? new Blob([]).stream()
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
