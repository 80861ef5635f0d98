import { setTimeout as delay } from 'node:timers/promises'
import type { GitProvider } from '../../api/v1/conversation/conversations.ts'
import type { GitSignIn, GitSignInRequest } from '../../api/v1/git/sign-ins.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import { type AuthorizationServer, authorizationServer, placeOf } from './authorization-server.ts'
import { type DeviceCode, requestDeviceCode, requestToken } from './device-flow.ts'
import { nextPace, paceOf } from './pace.ts'
import type { TokenGrant } from './token-grant.ts'

/** What is stored of a sign-in. */
export interface SignedIn {
  provider: GitProvider
  host: string | null
  clientId: string
  grant: TokenGrant
}

interface Dependencies {
  fetch: typeof globalThis.fetch
  /** Keeps the token. @returns whose it is @throws AppError provider_token_invalid, provider_unavailable, or one of the vault */
  store: (signedIn: SignedIn, signal: AbortSignal) => Promise<string>
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

type State =
  | { status: 'pending'; userCode: string; verificationUri: string; expiresAt: number; problem: string | null }
  | { status: 'succeeded'; user: string }
  | { status: 'denied' | 'expired' | 'failed'; error: string }

interface Attempt {
  id: string
  provider: GitProvider
  server: AuthorizationServer
  host: string | null
  state: State
  stop: AbortController
  /** Settles when nothing of it goes on. */
  ended: Promise<void>
}

/**
 * Signing in to git providers with a code that the person enters in a browser (RFC 8628). The service waits for the token
 * and stores it. One attempt for each provider, in memory alone: a new one ends the one before.
 */
export class GitSignIns {
  readonly #dependencies: Required<Dependencies>
  readonly #attempts = new Map<GitProvider, Attempt>()
  readonly #closing = new AbortController()

  constructor(dependencies: Dependencies) {
    const wait = (milliseconds: number, signal: AbortSignal) => delay(milliseconds, undefined, { signal, ref: false })
    this.#dependencies = { wait, ...dependencies }
  }

  /** @throws AppError bad_request, provider_unavailable */
  async start({ provider, host, client_id }: GitSignInRequest, signal: AbortSignal): Promise<GitSignIn> {
    const server = authorizationServer({ provider, host: host || null, clientId: client_id })
    const { fetch } = this.#dependencies
    const code = await requestDeviceCode(server, { fetch, signal: AbortSignal.any([signal, this.#closing.signal]) })
    this.#attempts.get(provider)?.stop.abort()
    const { userCode, verificationUri, lifeMs } = code
    const attempt: Attempt = {
      id: randomToken(16),
      provider,
      server,
      host: host || null,
      state: { status: 'pending', userCode, verificationUri, expiresAt: Date.now() + lifeMs, problem: null },
      stop: new AbortController(),
      ended: Promise.resolve(),
    }
    this.#attempts.set(provider, attempt)
    attempt.ended = this.#finish(attempt, code)
    return shown(attempt)
  }

  /** @throws AppError not_found */
  get(id: string): GitSignIn {
    return shown(this.#find(id))
  }

  /** Waits for the token no more. What was stored already stays. @throws AppError not_found */
  async cancel(id: string): Promise<void> {
    const attempt = this.#find(id)
    this.#attempts.delete(attempt.provider)
    attempt.stop.abort()
    await attempt.ended
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#attempts.values()].map(({ ended }) => ended))
  }

  /** Never rejects. */
  async #finish(attempt: Attempt, code: DeviceCode): Promise<void> {
    const signal = AbortSignal.any([attempt.stop.signal, this.#closing.signal])
    try {
      attempt.state = await this.#settled(attempt, code, signal)
    } catch (error) {
      if (signal.aborted) return
      const reason = isAppError(error) ? error.message : 'Something went wrong that nobody foresaw. Try again.'
      attempt.state = { status: 'failed', error: reason }
    }
  }

  async #settled(attempt: Attempt, code: DeviceCode, signal: AbortSignal): Promise<State> {
    const { fetch, store, wait } = this.#dependencies
    const { server, provider, host } = attempt
    const expiresAt = Date.now() + code.lifeMs
    let pace = paceOf(code.intervalMs)
    for (;;) {
      const left = expiresAt - Date.now()
      await wait(Math.max(0, Math.min(pace.waitMs, left)), signal)
      if (left <= pace.waitMs) return expired(attempt)
      const answer = await requestToken(server, code.deviceCode, { fetch, signal })
      switch (answer.kind) {
        case 'granted': {
          const { clientId } = server
          return { status: 'succeeded', user: await store({ provider, host, clientId, grant: answer.grant }, signal) }
        }
        case 'denied':
          return { status: 'denied', error: `The sign-in was refused at ${placeOf(server)}. Nothing was stored.` }
        case 'expired':
          return expired(attempt)
        case 'refused':
          return { status: 'failed', error: answer.reason }
        case 'pending':
        case 'slow_down':
        case 'unreachable':
          pace = nextPace(pace, answer)
          attempt.state = withProblem(attempt.state, answer.kind === 'unreachable' ? answer.reason : null)
      }
    }
  }

  #find(id: string): Attempt {
    const attempt = [...this.#attempts.values()].find(one => one.id === id)
    if (attempt) return attempt
    throw new AppError(
      'not_found',
      'There is no such sign-in: it was cancelled, another one has begun since, or Atelier was started anew. Sign in again.',
    )
  }
}

function expired({ server, state }: Attempt): State {
  const problem = state.status === 'pending' && state.problem ? ` ${state.problem}` : ''
  return {
    status: 'expired',
    error: `The code has expired before it was entered at ${placeOf(server)}.${problem} Sign in again to get another one.`,
  }
}

function withProblem(state: State, reason: string | null): State {
  if (state.status !== 'pending') return state
  return { ...state, problem: reason && `${reason} Atelier goes on asking until the code expires.` }
}

function shown({ id, provider, server, state }: Attempt): GitSignIn {
  const waiting = state.status === 'pending' ? state : null
  return {
    id,
    provider,
    host: server.origin.host,
    status: state.status,
    user_code: waiting?.userCode ?? null,
    verification_uri: waiting?.verificationUri ?? null,
    expires_at: waiting && new Date(waiting.expiresAt).toISOString(),
    user: state.status === 'succeeded' ? state.user : null,
    error: waiting ? waiting.problem : 'error' in state ? state.error : null,
  }
}
