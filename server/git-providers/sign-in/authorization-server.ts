import { z } from 'zod'
import type { GitProvider } from '../../api/v1/conversation/conversations.ts'
import { AppError } from '../../domain/errors.ts'
import { OutboundError } from '../../outbound/problem.ts'
import { baseOf, type DeviceFlow, type Provider } from '../provider.ts'
import { type GitCall, originOf, PROVIDERS } from '../providers.ts'

/** Where a person signs in, and as which application. */
export interface AuthorizationServer {
  provider: Provider
  origin: URL
  flow: DeviceFlow
  clientId: string
}

/** @throws AppError bad_request for a provider that has no device flow, or a host that is none */
export function authorizationServer(asked: {
  provider: GitProvider
  host: string | null
  clientId: string
}): AuthorizationServer {
  const provider = asked.provider === 'enterprise_sso' ? null : PROVIDERS[asked.provider]
  if (!provider?.deviceFlow) {
    const title = provider?.title ?? asked.provider
    throw new AppError(
      'bad_request',
      `${title} has no sign-in with a code. Store a token of it, or sign in to GitHub or GitLab.`,
    )
  }
  return {
    provider,
    origin: originOf(provider, asked.host),
    flow: provider.deviceFlow,
    clientId: asked.clientId,
  }
}

/** As messages name it. */
export function placeOf({ provider, origin }: AuthorizationServer): string {
  return `${provider.title} at ${origin.host}`
}

/** What an authorization server said. `error` is a code of OAuth; null with any other answer. */
export interface Answer {
  status: number
  body: unknown
  error: string | null
}

/** So narrow that nothing secret can be in it, whatever the server repeats. GitHub says "Not Found" of a client. */
const oauthError = z.object({ error: z.string().regex(/^(?:[a-z_]{1,40}|Not Found)$/) })

/**
 * Sends a form to an endpoint. GitHub answers errors with status 200, others with 400.
 * @throws AppError provider_unavailable when nobody answered, or not as such a server does; nothing of the form is in its words
 */
export async function sendForm(
  server: AuthorizationServer,
  path: string,
  { form, fetch, signal }: GitCall & { form: Record<string, string> },
): Promise<Answer> {
  let reply: { status: number; text: string }
  try {
    const response = await fetch(`${baseOf(server.origin)}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'user-agent': 'Atelier' },
      body: new URLSearchParams({ client_id: server.clientId, ...form }),
      redirect: 'manual',
      signal,
    })
    reply = { status: response.status, text: await response.text() }
  } catch (cause) {
    signal.throwIfAborted()
    const reason = cause instanceof OutboundError ? ` ${cause.message}` : ''
    throw new AppError('provider_unavailable', `${placeOf(server)} could not be reached.${reason}`, { cause })
  }
  const body = parsed(reply.text)
  const error = oauthError.safeParse(body).data?.error ?? null
  const isRefusal = reply.status === 404 || (REFUSALS.has(reply.status) && error !== null)
  if (!isRefusal && (reply.status !== 200 || typeof body !== 'object')) {
    throw new AppError('provider_unavailable', `${placeOf(server)} ${describeStatus(reply.status, server)}.`)
  }
  return { status: reply.status, body, error }
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403])

function describeStatus(status: number, { provider }: AuthorizationServer): string {
  if (status === 429) return 'is asked too often'
  return status >= 500 ? `answered with status ${status}` : `did not answer as ${provider.title} does`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
