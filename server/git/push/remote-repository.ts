import { Readable } from 'node:stream'
import { Slices } from '../../async/slices.ts'
import { AppError } from '../../domain/errors.ts'
import { basic, type GitCredentials } from '../../git-providers/provider.ts'
import { outboundErrorIn } from '../../outbound/problem.ts'
import { endOfOutput } from '../said.ts'
import { FLUSH, pktLine, pktLines } from './pkt-line.ts'

/** What the remote has. */
export interface Advertised {
  /** Name of the ref to its object. */
  refs: ReadonlyMap<string, string>
  capabilities: ReadonlySet<string>
}

export interface RefUpdate {
  /** `refs/heads/…`. */
  ref: string
  /** What the remote has there; null for a ref that is new. */
  from: string | null
  to: string
}

interface Options {
  /** By HTTP, without credentials and without a slash at its end. */
  url: string
  credentials: GitCredentials
  fetch: typeof globalThis.fetch
  signal: AbortSignal
}

/** As git itself says it; the remote says no more than yes and no without it. */
const WANTED = ['report-status', 'side-band-64k', 'ofs-delta'] as const
const SERVICE = 'git-receive-pack'
const DATA = 1
const MESSAGE = 2
/** What is sent with its length, because not everything between here and a server takes a body without one. */
const BUFFERED_BYTES = 2 ** 20

/** A repository that takes a push by HTTP, https://git-scm.com/docs/gitprotocol-http and gitprotocol-pack. */
export class RemoteRepository {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** @throws AppError git_refused, provider_token_invalid, provider_unavailable */
  async advertised(): Promise<Advertised> {
    const answer = await this.#ask(`info/refs?service=${SERVICE}`, { headers: {} })
    const refs = new Map<string, string>()
    const capabilities = new Set<string>()
    const slices = new Slices()
    for (const line of this.#lines(answer)) {
      if (slices.due()) await slices.turn()
      const [, sha, name, more] = /^([0-9a-f]{40,64}) ([^\0\n]+)(?:\0([^\n]*))?\n?$/.exec(line?.toString() ?? '') ?? []
      for (const capability of more?.trim().split(' ') ?? []) capabilities.add(capability)
      if (sha && name && !/^0+$/.test(sha)) refs.set(name, sha)
    }
    if (!capabilities.has('report-status')) throw this.#failed('did not answer as a git server does')
    return { refs, capabilities }
  }

  /**
   * Moves one ref, with the objects that the remote has not.
   * @param pack is read to its end; a failure of it breaks the request off, which changes nothing at the remote
   * @throws AppError as `advertised`; git_refused with the remote's words
   */
  async update({ ref, from, to }: RefUpdate, { capabilities }: Advertised, pack: AsyncIterable<Buffer>): Promise<void> {
    const asked = WANTED.filter(name => capabilities.has(name)).join(' ')
    const format = to.length === 64 ? ' object-format=sha256' : ''
    const command = pktLine(`${from ?? '0'.repeat(to.length)} ${to} ${ref}\0 ${asked}${format} agent=atelier`)
    const headers = { 'content-type': `application/x-${SERVICE}-request`, accept: `application/x-${SERVICE}-result` }
    const body = await bodyOf(Buffer.concat([command, FLUSH]), pack)
    const answer = await this.#ask(SERVICE, { method: 'POST', headers, body, duplex: 'half' })
    this.#check(ref, capabilities.has('side-band-64k') ? this.#apart(answer) : { report: answer, said: '' })
  }

  /** What the server reports, and what it has printed for the person. */
  #apart(answer: Buffer): { report: Buffer; said: string } {
    const parts = [...this.#lines(answer)].filter(line => line !== null)
    const on = (band: number) => Buffer.concat(parts.filter(([first]) => first === band).map(part => part.subarray(1)))
    const [report, message] = [on(DATA), on(MESSAGE)]
    return { report, said: endOfOutput(message.toString()) }
  }

  #check(ref: string, { report, said }: { report: Buffer; said: string }): void {
    const branch = ref.replace('refs/heads/', '')
    const also = said && ` It said: ${said}`
    const lines = [...this.#lines(report)].map(line => line?.toString().trimEnd() ?? '')
    const refused = lines.find(line => line.startsWith(`ng ${ref} `))?.slice(`ng ${ref} `.length)
    const unpacked = lines.find(line => line.startsWith('unpack '))?.slice('unpack '.length)
    const reason = unpacked && unpacked !== 'ok' ? unpacked : refused
    if (reason !== undefined) {
      const what = `${this.#host} refused the push to ${branch}: ${reason}.${also}`
      throw new AppError('git_refused', `${what} Put that right, or push under another branch.`)
    }
    if (!lines.includes(`ok ${ref}`)) throw this.#failed(`did not say whether ${branch} was pushed.${also}`)
  }

  #lines(bytes: Buffer): Generator<Buffer | null> {
    const failed = () => this.#failed('did not answer as a git server does')
    return (function* () {
      try {
        yield* pktLines(bytes)
      } catch (error) {
        throw error instanceof RangeError ? failed() : error
      }
    })()
  }

  async #ask(path: string, init: RequestInit & { headers: Record<string, string>; duplex?: 'half' }): Promise<Buffer> {
    const { url, credentials, fetch, signal } = this.#options
    const headers = { ...init.headers, authorization: basic(credentials), 'user-agent': 'git/2.40' }
    try {
      const response = await fetch(`${url}/${path}`, { ...init, headers, redirect: 'manual', signal })
      const answer = Buffer.from(await response.arrayBuffer())
      if (response.status === 200) return answer
      throw this.#refusal(response, answer)
    } catch (error) {
      signal.throwIfAborted()
      const problem = outboundErrorIn(error)
      // What is sent could not be read: that is what went wrong, not the connection.
      if (problem?.cause instanceof AppError) throw problem.cause
      throw problem ? this.#failed('was not reached', problem) : error
    }
  }

  #refusal({ status, headers }: Response, answer: Buffer): AppError {
    const host = this.#host
    const isText = headers.get('content-type')?.startsWith('text/plain') ?? false
    const said = isText && answer.length > 0 ? ` It said: ${endOfOutput(answer.toString())}` : ''
    if (status === 401 || status === 403) {
      return new AppError(
        'provider_token_invalid',
        `${host} does not let the stored token push, so nothing was pushed.${said} Give the token the right to write, or store another one in Settings › Git.`,
      )
    }
    if (status === 404) {
      return new AppError(
        'git_refused',
        `${host} has no such repository, or does not show it to the stored token. Check the remote's address and the token's rights, then push again.`,
      )
    }
    if (status >= 300 && status < 400) {
      return new AppError(
        'git_refused',
        `${host} says that the repository has moved. Set the remote to its new address, then push again.`,
      )
    }
    if (status === 413) {
      return new AppError('git_refused', `${host} takes no push of this size.${said} Push fewer or smaller files.`)
    }
    return this.#failed(`answered with ${status}.${said}`)
  }

  #failed(what: string, cause?: Error): AppError {
    const reason = cause ? ` ${cause.message}` : ''
    return new AppError(
      'provider_unavailable',
      `Nothing was pushed: ${this.#host} ${what.replace(/\.$/, '')}.${reason} Check the network and the remote, then push again; or save the work as a patch.`,
      { cause },
    )
  }

  get #host(): string {
    return new URL(this.#options.url).host
  }
}

async function bodyOf(head: Buffer, pack: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer> | ReadableStream> {
  const rest = pack[Symbol.asyncIterator]()
  const begun = [head]
  let bytes = head.length
  while (bytes <= BUFFERED_BYTES) {
    const { done, value } = await rest.next()
    if (done) return Uint8Array.from(Buffer.concat(begun))
    begun.push(value)
    bytes += value.length
  }
  async function* whole() {
    yield* begun
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return Readable.toWeb(Readable.from(whole())) as ReadableStream
}
