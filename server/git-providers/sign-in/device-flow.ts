import { z } from 'zod'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { GitCall } from '../providers.ts'
import { type Answer, type AuthorizationServer, placeOf, sendForm } from './authorization-server.ts'
import { grantIn, type TokenGrant } from './token-grant.ts'

/** What a sign-in begins with, https://www.rfc-editor.org/rfc/rfc8628#section-3.2. */
export interface DeviceCode {
  /** Secret: who has it gets the token. */
  deviceCode: string
  /** What the person enters at `verificationUri`. */
  userCode: string
  verificationUri: string
  lifeMs: number
  intervalMs: number
}

const SECOND = 1_000
/** https://www.rfc-editor.org/rfc/rfc8628#section-3.2: when the server names none. */
const USUAL_INTERVAL_MS = 5 * SECOND

const seconds = z
  .number()
  .positive()
  .transform(value => value * SECOND)
const deviceCode = z.object({
  device_code: z.string().regex(/^[\x21-\x7e]{1,2000}$/),
  user_code: z.string().regex(/^[\x21-\x7e]{1,40}$/),
  verification_uri: z.url().max(2000),
  expires_in: seconds,
  interval: seconds.optional().catch(undefined),
})

/** @throws AppError bad_request when the application or the answer cannot be used, provider_unavailable */
export async function requestDeviceCode(server: AuthorizationServer, call: GitCall): Promise<DeviceCode> {
  const { codePath, scope } = server.flow
  const answer = await sendForm(server, codePath, { ...call, form: { scope } })
  if (answer.error !== null || answer.status !== 200) throw refusal(server, answer)
  const code = deviceCode.safeParse(answer.body).data
  if (!code) {
    const said = `${placeOf(server)} did not answer as ${server.provider.title} does.`
    throw new AppError('provider_unavailable', `${said} Check the host, then try again.`)
  }
  return {
    deviceCode: code.device_code,
    userCode: code.user_code,
    verificationUri: checkedAddress(server, code.verification_uri),
    lifeMs: Math.min(code.expires_in, BOUNDS.deviceCodeLife.limit),
    intervalMs: code.interval ?? USUAL_INTERVAL_MS,
  }
}

/** What a poll of the token endpoint says, https://www.rfc-editor.org/rfc/rfc8628#section-3.5. */
export type PollAnswer =
  | { kind: 'granted'; grant: TokenGrant }
  | { kind: 'pending' }
  /** GitHub names the new interval, others leave it at five seconds more. */
  | { kind: 'slow_down'; intervalMs: number | null }
  | { kind: 'denied' }
  | { kind: 'expired' }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'refused'; reason: string }

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'
const newInterval = z.object({ interval: seconds })

/** Throws nothing but the signal's reason. */
export async function requestToken(server: AuthorizationServer, code: string, call: GitCall): Promise<PollAnswer> {
  try {
    const form = { device_code: code, grant_type: GRANT_TYPE }
    const answer = await sendForm(server, server.flow.tokenPath, { ...call, form })
    return pollAnswer(server, answer)
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof AppError) return { kind: 'unreachable', reason: error.message }
    throw error
  }
}

function pollAnswer(server: AuthorizationServer, { status, body, error }: Answer): PollAnswer {
  switch (error) {
    case 'authorization_pending':
      return { kind: 'pending' }
    case 'slow_down':
      return { kind: 'slow_down', intervalMs: newInterval.safeParse(body).data?.interval ?? null }
    case 'access_denied':
      return { kind: 'denied' }
    case 'expired_token':
      return { kind: 'expired' }
    case null: {
      const grant = status === 200 ? grantIn(body) : null
      if (grant) return { kind: 'granted', grant }
      return { kind: 'unreachable', reason: `${placeOf(server)} did not answer as ${server.provider.title} does.` }
    }
    default:
      return { kind: 'refused', reason: `${placeOf(server)} ended the sign-in with “${error}”. Try again.` }
  }
}

/** The codes of RFC 6749, and those that GitHub has for the same. */
const UNKNOWN_CLIENT: ReadonlySet<string | null> = new Set([
  null,
  'invalid_client',
  'incorrect_client_credentials',
  'Not Found',
])
const WITHOUT_DEVICE_FLOW: ReadonlySet<string | null> = new Set(['device_flow_disabled', 'unauthorized_client'])

function refusal(server: AuthorizationServer, { error }: Answer): AppError {
  const { title } = server.provider
  const place = placeOf(server)
  if (UNKNOWN_CLIENT.has(error)) {
    const other = title === 'GitLab' ? ', or is older than GitLab 17.9, which has no sign-in with a code' : ''
    return new AppError(
      'bad_request',
      `${place} does not know an application with this client ID${other}. Copy the client ID again, or store a token instead.`,
    )
  }
  if (WITHOUT_DEVICE_FLOW.has(error)) {
    return new AppError(
      'bad_request',
      `${place} does not let this application sign in with a code. Turn the device flow on in the settings of the application, then try again.`,
    )
  }
  if (error === 'invalid_scope') {
    return new AppError(
      'bad_request',
      `${place} does not give this application the scope “${server.flow.scope}”. Add it in the settings of the application, then try again.`,
    )
  }
  return new AppError('bad_request', `${place} refused to begin a sign-in, with “${error}”. Check the client ID.`)
}

/**
 * A browser is sent to the host that the person named and to no other, by https unless the person named it with http.
 * @throws AppError bad_request
 */
function checkedAddress(server: AuthorizationServer, address: string): string {
  const url = new URL(address)
  const { origin } = server
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && origin.protocol === 'http:')
  if (isSafe && url.hostname === origin.hostname && !url.username && !url.password) return url.href
  throw new AppError(
    'bad_request',
    `${placeOf(server)} names a page at ${url.protocol}//${url.host} to enter the code at, which is another host than yours or not safe. If that is where it is, give this address as the host.`,
  )
}
