import type {
  FetchLike,
  OAuthClientMetadata,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client'
import type { McpServer } from '../../api/v1/settings/mcp-servers.ts'
import type { McpSignIn } from '../../api/v1/settings/mcp-sign-in.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import { library } from './library.ts'
import { type McpTokens, StoredClient } from './tokens.ts'

type NetworkServer = Extract<McpServer, { transport: 'http' | 'sse' }>

interface SignInAttempt {
  id: string
  /** Proves that the browser that comes back is the one that was sent. */
  state: string
  url: string
  client: SigningIn
  fetch: FetchLike
  status: McpSignIn['status']
  authorizationUrl: string | null
  error: string | null
  /** Codes are redeemed once. */
  used: boolean
}

interface Dependencies {
  tokens: McpTokens
  /** Where a browser reaches this service. */
  baseUrl: () => string
  /** For what is asked on behalf of a server at an address. */
  fetchFor: (url: string) => typeof globalThis.fetch
  onSignedIn: (url: string) => void
}

const JOB_LIFE_MS = 10 * 60_000
const MAX_JOBS = 20
export const CALLBACK_PATH = '/api/v1/mcp/oauth/callback'

/** Signing in to tool servers: OAuth 2.1 with discovery, registration and PKCE; the browser comes back to this machine. */
export class SignIns {
  readonly #dependencies: Dependencies
  readonly #jobs = new Map<string, SignInAttempt>()
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** A server that cannot be signed in to makes a failed job. @throws AppError bad_request */
  async start(server: McpServer, signal: AbortSignal): Promise<McpSignIn> {
    if (server.transport === 'stdio')
      throw new AppError(
        'bad_request',
        'Only a server with an address can be signed in to. Give one, or give the command its key.',
      )
    if (this.#jobs.size >= MAX_JOBS) this.#dropOldest()
    const job = this.#newJob(server)
    try {
      const hints = await challengeOf(server, job.fetch, signal)
      const scopes = server.auth.strategy === 'oauth2' ? server.auth.authentication?.scopes : null
      const scope = scopes ? [scopes].flat().join(' ') : hints.scope
      const { auth } = await library()
      const outcome = await auth(job.client, {
        serverUrl: job.url,
        fetchFn: withSignal(job.fetch, signal),
        ...(scope && { scope }),
        ...(hints.resourceMetadataUrl && { resourceMetadataUrl: hints.resourceMetadataUrl }),
      })
      if (outcome === 'AUTHORIZED') this.#succeed(job)
      else job.authorizationUrl = webAddress(job.client.address)
    } catch (error) {
      job.status = 'failed'
      job.error = `Signing in is not possible there. ${reasonOf(error)} Use a key instead, if it has one.`
    }
    return shown(job)
  }

  /** @throws AppError not_found */
  get(id: string): McpSignIn {
    return shown(this.#find(id))
  }

  /** With the address that the browser came back to. @throws AppError not_found, bad_request */
  async submit(id: string, callbackUrl: string, signal: AbortSignal): Promise<McpSignIn> {
    const job = this.#find(id)
    if (!URL.canParse(callbackUrl))
      throw new AppError('bad_request', 'That is no address. Copy it whole from the browser.')
    const params = new URL(callbackUrl).searchParams
    if (params.get('state') !== job.state) throw new AppError('bad_request', 'That address belongs to another sign-in.')
    await this.#finish(job, params, signal)
    return shown(job)
  }

  /** The browser came back. @returns undefined when nobody waits for it */
  async callback(params: URLSearchParams, signal: AbortSignal): Promise<McpSignIn | undefined> {
    const state = params.get('state')
    const job = [...this.#jobs.values()].find(one => one.state === state)
    if (!job) return undefined
    await this.#finish(job, params, signal)
    return shown(job)
  }

  forget(url: string): Promise<void> {
    return this.#dependencies.tokens.forget(url)
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#jobs.clear()
  }

  async #finish(job: SignInAttempt, params: URLSearchParams, signal: AbortSignal): Promise<void> {
    if (job.status !== 'authorizing' || job.used) return
    job.used = true
    const code = params.get('code')
    const iss = params.get('iss')
    try {
      if (!code) throw new Error('It was refused.')
      const { auth } = await library()
      await auth(job.client, {
        serverUrl: job.url,
        authorizationCode: code,
        ...(iss && { iss }),
        fetchFn: withSignal(job.fetch, signal),
      })
      this.#succeed(job)
    } catch (error) {
      job.status = 'failed'
      job.error = `The sign-in failed. ${reasonOf(error)}`
    }
  }

  #succeed(job: SignInAttempt): void {
    job.status = 'succeeded'
    this.#dependencies.onSignedIn(job.url)
  }

  #newJob(server: NetworkServer): SignInAttempt {
    const { tokens, baseUrl, fetchFor } = this.#dependencies
    const state = randomToken(32)
    const client = new SigningIn(tokens, { server, redirect: `${baseUrl()}${CALLBACK_PATH}`, state })
    const job: SignInAttempt = {
      id: randomToken(16),
      state,
      url: server.url,
      client,
      fetch: fetchFor(server.url),
      status: 'authorizing',
      authorizationUrl: null,
      error: null,
      used: false,
    }
    this.#jobs.set(job.id, job)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#jobs.delete(job.id)
    }, JOB_LIFE_MS)
    timer.unref()
    this.#timers.add(timer)
    return job
  }

  #dropOldest(): void {
    const [oldest] = this.#jobs.keys()
    if (oldest !== undefined) this.#jobs.delete(oldest)
  }

  #find(id: string): SignInAttempt {
    const job = this.#jobs.get(id)
    if (!job)
      throw new AppError('not_found', 'There is no such sign-in, or it was given up after ten minutes. Begin anew.')
    return job
  }
}

/** A client that a person sits in front of. */
class SigningIn extends StoredClient {
  address: URL | undefined
  readonly #server: NetworkServer
  readonly #state: string
  #verifier = ''
  #found: OAuthDiscoveryState | undefined

  constructor(tokens: McpTokens, options: { server: NetworkServer; redirect: string; state: string }) {
    super(tokens, { url: options.server.url, redirect: options.redirect })
    this.#server = options.server
    this.#state = options.state
  }

  override get clientMetadata(): OAuthClientMetadata {
    const method = this.#given()?.client_secret ? 'client_secret_post' : 'none'
    return { ...super.clientMetadata, token_endpoint_auth_method: method }
  }

  /** A client that was registered by hand wins. */
  override async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    const { client_id, client_secret } = this.#given() ?? {}
    if (!client_id) return super.clientInformation()
    const client = { client_id, ...(client_secret && { client_secret }) }
    await this.saveClientInformation(client)
    return client
  }

  state(): string {
    return this.#state
  }

  override redirectToAuthorization(address: URL): void {
    this.address = address
  }

  override saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  override async codeVerifier(): Promise<string> {
    return this.#verifier
  }

  /** Who is asked for the tokens is settled before the browser goes there. */
  saveDiscoveryState(found: OAuthDiscoveryState): void {
    this.#found = found
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#found
  }

  #given() {
    return this.#server.auth.strategy === 'oauth2' ? this.#server.auth.authentication : null
  }
}

/** Where the server says that one signs in; nothing when it does not say. */
async function challengeOf(server: NetworkServer, fetch: FetchLike, signal: AbortSignal) {
  const { extractWWWAuthenticateParams, LATEST_PROTOCOL_VERSION } = await library()
  const hello = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: 'atelier', version: '0' },
    },
  }
  const isStream = server.transport === 'sse'
  const response = await withSignal(fetch, signal)(server.url, {
    method: isStream ? 'GET' : 'POST',
    headers: {
      Accept: isStream ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(!isStream && { 'Content-Type': 'application/json' }),
    },
    redirect: 'manual',
    ...(!isStream && { body: JSON.stringify(hello) }),
  })
  await response.body?.cancel().catch(() => {})
  return response.status === 401 ? extractWWWAuthenticateParams(response) : {}
}

function withSignal(fetch: FetchLike, signal: AbortSignal) {
  return (url: string | URL, init?: RequestInit) => fetch(url, { ...init, signal })
}

/** A browser is sent nowhere but to the web. */
function webAddress(address: URL | undefined): string {
  if (address?.protocol === 'https:' || address?.protocol === 'http:') return address.href
  throw new Error('It named no web page to sign in at.')
}

/** What the other side says may go through to a person, in short. */
function reasonOf(error: unknown): string {
  const text = messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 200)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function shown({ id, status, authorizationUrl, error }: SignInAttempt): McpSignIn {
  return { job_id: id, status, authorization_url: status === 'authorizing' ? authorizationUrl : null, error }
}
