import { Slices } from '../../async/slices.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { basic, type GitCredentials } from '../../git-providers/provider.ts'
import { outboundErrorIn } from '../../outbound/problem.ts'
import { endOfOutput } from '../said.ts'
import { pktLines } from './pkt-line.ts'

/** What the remote has. */
export interface Advertised {
  /** Name of the ref to its object. */
  refs: ReadonlyMap<string, string>
  capabilities: ReadonlySet<string>
}

export interface RemoteOptions {
  /** By HTTP, without credentials and without a slash at its end. */
  url: string
  credentials: GitCredentials | undefined
  fetch: typeof globalThis.fetch
  signal: AbortSignal
}

/** The ways of a transfer: what the server calls them, and what is said of one that fails. */
const SERVICES = {
  push: {
    name: 'git-receive-pack',
    capability: 'report-status',
    failed: 'Nothing was pushed',
    again: 'then push again; or save the work as a patch',
    right: 'push, so nothing was pushed',
    permission: 'write',
    moved: 'Set the remote to its new address, then push again; or save the work as a patch.',
    isFollowed: false,
  },
  fetch: {
    name: 'git-upload-pack',
    capability: 'side-band-64k',
    failed: 'Nothing was fetched',
    again: 'then try again',
    right: 'fetch, so nothing was fetched',
    permission: 'read',
    moved: 'Set the remote to its new address, then try again.',
    isFollowed: false,
  },
  clone: {
    name: 'git-upload-pack',
    capability: 'side-band-64k',
    failed: 'Nothing was cloned',
    again: 'then try again',
    right: 'clone, so nothing was cloned',
    permission: 'read',
    moved: 'Give its new address.',
    isFollowed: true,
  },
} as const

const MAX_REDIRECTS = 3
/** Of a repository without a commit, which has no line to write capabilities on. */
const EMPTY_ADVERTISEMENT = '001e# service=git-upload-pack\n00000000'

/** A repository that speaks git's smart HTTP protocol, https://git-scm.com/docs/gitprotocol-http and gitprotocol-pack. */
export class RemoteRepository {
  readonly #options: RemoteOptions
  readonly #service: (typeof SERVICES)[keyof typeof SERVICES]
  /** Another one than that of the options once the server has named it. */
  #url: string

  constructor(way: keyof typeof SERVICES, options: RemoteOptions) {
    this.#service = SERVICES[way]
    this.#options = options
    this.#url = options.url
  }

  get host(): string {
    return new URL(this.#url).host
  }

  /** @throws AppError git_refused, provider_token_invalid, provider_token_missing, provider_unavailable */
  async advertised(): Promise<Advertised> {
    const listed = await wholeOf(await this.#advertisement(MAX_REDIRECTS))
    if (listed.length === 0) throw this.failed('answered with nothing, or with more refs than fit into 16 MiB')
    const refs = new Map<string, string>()
    const capabilities = new Set<string>()
    const slices = new Slices()
    for (const line of this.lines(listed)) {
      if (slices.due()) await slices.turn()
      // https://git-scm.com/docs/gitprotocol-pack#_pkt_line_format
      if (line?.subarray(0, 4).toString() === 'ERR ') throw this.refused(line)
      const [, sha, name, more] = /^([0-9a-f]{40,64}) ([^\0\n]+)(?:\0([^\n]*))?\n?$/.exec(line?.toString() ?? '') ?? []
      for (const each of more?.trim().split(' ') ?? []) capabilities.add(each)
      if (sha && name && !/^0+$/.test(sha)) refs.set(name, sha)
    }
    const isEmpty = listed.toString() === EMPTY_ADVERTISEMENT
    if (!isEmpty && !capabilities.has(this.#service.capability))
      throw this.failed('did not answer as a git server does')
    return { refs, capabilities }
  }

  /** Sends a request of the service, in version 0 of the protocol or in another one. @throws AppError as `advertised` */
  request(body: Uint8Array<ArrayBuffer> | ReadableStream, version: 0 | 2 = 0): Promise<Response> {
    const { name } = this.#service
    const headers = {
      'content-type': `application/x-${name}-request`,
      accept: `application/x-${name}-result`,
      ...(version > 0 && { 'git-protocol': `version=${version}` }),
    }
    return this.#ask(name, { method: 'POST', headers, body, duplex: 'half' })
  }

  /** @throws AppError provider_unavailable for bytes that are no such lines */
  *lines(bytes: Buffer): Generator<Buffer | null> {
    try {
      yield* pktLines(bytes)
    } catch (error) {
      throw error instanceof RangeError ? this.failed('did not answer as a git server does') : error
    }
  }

  /** For a line with which the server says why. */
  refused(line: Buffer): AppError {
    const said = endOfOutput(line.toString().replace(/^ERR /, ''))
    return new AppError('git_refused', `${this.#service.failed}: ${this.host} refused. It said: ${said}`)
  }

  /** The pieces of an answer. @throws AppError provider_unavailable where it breaks off */
  async *received(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      this.#options.signal.throwIfAborted()
      const problem = outboundErrorIn(error)
      throw problem ? this.failed(problem.problem === 'too-large' ? 'sent too much' : 'broke off', problem) : error
    }
  }

  failed(what: string, cause?: Error): AppError {
    const reason = cause ? ` ${cause.message}` : ''
    const { failed, again } = this.#service
    return new AppError(
      'provider_unavailable',
      `${failed}: ${this.host} ${what.replace(/\.$/, '')}.${reason} Check the network and the remote, ${again}.`,
      { cause },
    )
  }

  /** A clone follows its server to another address there, as git does with `http.followRedirects=initial`. */
  async #advertisement(redirectsLeft: number): Promise<Response> {
    const path = `info/refs?service=${this.#service.name}`
    const follows = this.#service.isFollowed && redirectsLeft > 0
    const response = await this.#ask(path, { headers: {} }, status => follows && isRedirect(status))
    if (!isRedirect(response.status)) return response
    const address = `${this.#url}/${path}`
    const location = response.headers.get('location') ?? ''
    const next = URL.canParse(location, address) ? new URL(location, address) : undefined
    if (next?.origin !== new URL(address).origin || !next.href.endsWith(`/${path}`)) {
      throw this.#refusal(response, await wholeOf(response))
    }
    await response.body?.cancel()
    this.#url = next.href.slice(0, -path.length - 1)
    return this.#advertisement(redirectsLeft - 1)
  }

  async #ask(
    path: string,
    init: RequestInit & { headers: Record<string, string>; duplex?: 'half' },
    isAlsoTaken: (status: number) => boolean = () => false,
  ): Promise<Response> {
    const { credentials, fetch, signal } = this.#options
    const headers = {
      ...init.headers,
      ...(credentials && { authorization: basic(credentials) }),
      'user-agent': 'git/2.40',
    }
    try {
      const response = await fetch(`${this.#url}/${path}`, { ...init, headers, redirect: 'manual', signal })
      if (response.status === 200 || isAlsoTaken(response.status)) return response
      throw this.#refusal(response, await wholeOf(response))
    } catch (error) {
      signal.throwIfAborted()
      const problem = outboundErrorIn(error)
      // What is sent could not be read: that is what went wrong, not the connection.
      if (problem?.cause instanceof AppError) throw problem.cause
      throw problem ? this.failed('was not reached', problem) : error
    }
  }

  #refusal({ status, headers }: Response, answer: Buffer): AppError {
    const { host } = this
    const { right, permission, again, moved, failed } = this.#service
    const isLoggedIn = this.#options.credentials !== undefined
    const isText = headers.get('content-type')?.startsWith('text/plain') ?? false
    const said = isText && answer.length > 0 ? ` It said: ${endOfOutput(answer.toString())}` : ''
    if (status === 401 && !isLoggedIn) {
      return new AppError(
        'provider_token_missing',
        `${failed}: ${host} asks for a login, and no token is stored for it. Store one in Settings › Git, then try again.`,
      )
    }
    if (status === 401 || status === 403) {
      return new AppError(
        'provider_token_invalid',
        `${host} does not let the stored token ${right}.${said} Give the token the right to ${permission}, or store another one in Settings › Git.`,
      )
    }
    if (status === 404) {
      return new AppError(
        'git_refused',
        isLoggedIn
          ? `${host} has no such repository, or does not show it to the stored token. Check the remote's address and the token's rights, ${again}.`
          : `${host} has no such repository, or does not show it without a token. Check its address, or store a token for ${host} in Settings › Git, ${again}.`,
      )
    }
    if (isRedirect(status)) {
      return new AppError('git_refused', `${host} says that the repository has moved. ${moved}`)
    }
    if (status === 413) {
      return new AppError('git_refused', `${host} takes no push of this size.${said} Push fewer or smaller files.`)
    }
    return this.failed(`answered with ${status}.${said}`)
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

/** Nothing of what is longer than BOUNDS.gitRefs. */
export async function wholeOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > BOUNDS.gitRefs.limit) return Buffer.alloc(0)
  }
  return Buffer.concat(chunks)
}
