import type { GitProvider } from '../api/v1/conversation/conversations.ts'
import { AppError } from '../domain/errors.ts'
import { OutboundError } from '../outbound/problem.ts'
import { bitbucket } from './bitbucket.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { Provider } from './provider.ts'

/** `enterprise_sso` is a name of the contract behind which there is no service: no token of it can be confirmed. */
export const PROVIDERS: Readonly<Record<GitProvider, Provider | null>> = {
  github,
  gitlab,
  bitbucket,
  enterprise_sso: null,
}

const MAX_NAME_LENGTH = 100

/** The installation that a stored host means: a name is reached by https, an address as it says. */
export function findOrigin(provider: Provider, host: string | null): URL | undefined {
  const text = host?.trim() || provider.host
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  const usable = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  return usable ? url : undefined
}

/** @throws AppError bad_request for a host that is neither a name nor an address */
export function originOf(provider: Provider, host: string | null): URL {
  const origin = findOrigin(provider, host)
  if (origin) return origin
  throw new AppError(
    'bad_request',
    `The host of ${provider.title} is not valid. Give a name like ${provider.host}, or an address with https://.`,
  )
}

/** The software of a provider at an installation of it. */
export function providerAt(provider: Provider, origin: URL): Provider {
  return origin.host === provider.host ? provider : (provider.selfHosted ?? provider)
}

/**
 * Asks the provider whose token it is; nobody else is shown it.
 * @returns the name of its user
 * @throws AppError provider_token_invalid when the provider refuses it, provider_unavailable when there was no such answer
 */
export async function verifyToken(
  asked: { provider: GitProvider; token: string; host: string | null },
  { fetch, signal }: GitCall,
): Promise<string> {
  const named = PROVIDERS[asked.provider]
  if (!named) throw invalid(asked.provider)
  const origin = originOf(named, asked.host)
  const provider = providerAt(named, origin)
  const answer = await ask(provider, origin, asked.token, { fetch, signal })
  if (answer.status === 429 || answer.status >= 500 || answer.rateLimited) {
    throw unavailable(provider, origin, `answered with status ${answer.status}`)
  }
  if (answer.status >= 400) throw invalid(asked.provider)
  const user = provider.user.safeParse(parsed(answer.body))
  if (answer.status !== 200 || !user.success) {
    throw unavailable(provider, origin, `did not answer as ${provider.title} does`)
  }
  return (answer.user ?? user.data).slice(0, MAX_NAME_LENGTH)
}

/** How a git host is asked. */
export interface GitCall {
  fetch: typeof globalThis.fetch
  signal: AbortSignal
}

interface Answer {
  status: number
  rateLimited: boolean
  /** As a header names the user. */
  user: string | null
  body: string
}

async function ask(provider: Provider, origin: URL, token: string, { fetch, signal }: GitCall): Promise<Answer> {
  const headers = headersOf(provider, token)
  try {
    const response = await fetch(`${provider.api(origin)}${provider.userPath}`, {
      headers,
      redirect: 'manual',
      signal,
    })
    return {
      status: response.status,
      rateLimited: response.status === 403 && response.headers.get('x-ratelimit-remaining') === '0',
      user: provider.userHeader ? response.headers.get(provider.userHeader) : null,
      body: await response.text(),
    }
  } catch (cause) {
    signal.throwIfAborted()
    throw unavailable(provider, origin, 'could not be reached', cause)
  }
}

function headersOf(provider: Provider, token: string): Headers {
  try {
    return new Headers({
      accept: 'application/json',
      authorization: provider.authorization(token),
      'user-agent': 'Atelier',
    })
  } catch {
    // The runtime's message quotes the value. Without its cause: no token consists of such characters.
    throw new AppError('provider_token_invalid', words(provider.title.toLowerCase()))
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function invalid(provider: GitProvider): AppError {
  return new AppError('provider_token_invalid', words(provider))
}

/** Existing clients show this text. */
function words(provider: string): string {
  return `Invalid token. Please make sure it is a valid ${provider} token.`
}

function unavailable(provider: Provider, origin: URL, what: string, cause?: unknown): AppError {
  const reason = cause instanceof OutboundError ? ` ${cause.message}` : ''
  const message = `${provider.title} at ${origin.host} ${what}, so the token could not be checked.${reason} Nothing was changed. Check the network and the host, then try again.`
  return new AppError('provider_unavailable', message, { cause })
}
