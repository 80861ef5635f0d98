import type { GitProvider } from '../api/v1/conversation/conversations.ts'
import { GIT_SOFTWARE, type GitSoftware } from '../api/v1/git/software.ts'
import { AppError } from '../domain/errors.ts'
import { OutboundError } from '../outbound/problem.ts'
import type { Provider } from './provider.ts'
import { findOrigin, type GitCall, originOf, PROVIDERS, providerAt } from './providers.ts'

const MAX_NAME_LENGTH = 100

/** Whose token it is, and what answered. */
export interface VerifiedToken {
  user: string
  software: GitSoftware
}

interface Asked {
  provider: GitProvider
  token: string
  host: string | null
}

/**
 * Asks the provider whose token it is; nobody else is shown it.
 * @throws AppError provider_token_invalid when the provider refuses it, provider_unavailable when there was no such answer
 */
export async function verifyToken(asked: Asked, call: GitCall): Promise<VerifiedToken> {
  const { provider, host } = asked
  if (provider === 'enterprise_sso') return verifyAtServer(asked, call)
  const outcome = await whoAmI(provider, asked, call)
  if (outcome.kind === 'user') return { user: outcome.user, software: provider }
  if (outcome.kind === 'refused') throw new AppError('provider_token_invalid', words(provider))
  throw unavailable(placeOf(provider, host), outcome.what)
}

/** Any of the known kinds may run at the host that the person names; the first one that answers as itself does. */
async function verifyAtServer(asked: Asked, call: GitCall): Promise<VerifiedToken> {
  if (!asked.host?.trim()) throw new AppError('provider_token_invalid', `${words('enterprise_sso')} ${HOST_NEEDED}`)
  const origin = findOrigin(PROVIDERS.github, asked.host)
  if (!origin) {
    throw new AppError(
      'bad_request',
      'The host is not valid. Give a name like git.example.org, or an address with https://.',
    )
  }
  let isRefused = false
  for (const software of GIT_SOFTWARE) {
    const outcome = await whoAmI(software, asked, call)
    if (outcome.kind === 'user') return { user: outcome.user, software }
    isRefused ||= outcome.kind === 'refused' && REFUSALS.has(outcome.status)
  }
  if (isRefused) throw new AppError('provider_token_invalid', words('enterprise_sso'))
  throw unavailable(`The server at ${origin.host}`, 'did not answer as GitHub, GitLab or Bitbucket does')
}

/** Any other status of a refusal is that of a path that this kind of server does not have. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403])
const HOST_NEEDED = 'Give the host of your GitHub, GitLab or Bitbucket server with it.'

type Outcome =
  | { kind: 'user'; user: string }
  | { kind: 'refused'; status: number }
  /** `what` the server did, in the middle of a sentence. */
  | { kind: 'no answer'; what: string }

async function whoAmI(software: GitSoftware, { token, host }: Asked, call: GitCall): Promise<Outcome> {
  const origin = originOf(PROVIDERS[software], host)
  const provider = providerAt(PROVIDERS[software], origin)
  const answer = await ask(provider, origin, token, call)
  if (answer.status === 429 || answer.status >= 500 || answer.rateLimited) {
    return { kind: 'no answer', what: `answered with status ${answer.status}` }
  }
  if (answer.status >= 400) return { kind: 'refused', status: answer.status }
  const user = provider.user.safeParse(parsed(answer.body))
  if (answer.status !== 200 || !user.success) {
    return { kind: 'no answer', what: `did not answer as ${provider.title} does` }
  }
  return { kind: 'user', user: (answer.user ?? user.data).slice(0, MAX_NAME_LENGTH) }
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
    throw unavailable(`${provider.title} at ${origin.host}`, 'could not be reached', cause)
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

/** Existing clients show this text. */
function words(provider: string): string {
  return `Invalid token. Please make sure it is a valid ${provider} token.`
}

function placeOf(software: GitSoftware, host: string | null): string {
  const origin = originOf(PROVIDERS[software], host)
  return `${providerAt(PROVIDERS[software], origin).title} at ${origin.host}`
}

function unavailable(place: string, what: string, cause?: unknown): AppError {
  const reason = cause instanceof OutboundError ? ` ${cause.message}` : ''
  const message = `${place} ${what}, so the token could not be checked.${reason} Nothing was changed. Check the network and the host, then try again.`
  return new AppError('provider_unavailable', message, { cause })
}
