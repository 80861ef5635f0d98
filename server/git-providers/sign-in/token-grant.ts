import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { GitCall } from '../providers.ts'
import { type AuthorizationServer, placeOf, sendForm } from './authorization-server.ts'

/** A token of a sign-in. */
export interface TokenGrant {
  token: string
  /** Null for a token that stays valid until it is revoked. */
  renewal: { refreshToken: string; expiresAt: number } | null
}

const token = z.string().regex(/^[\x21-\x7e]{1,65536}$/)
/** https://www.rfc-editor.org/rfc/rfc6749#section-5.1 */
const tokenReply = z.object({
  access_token: token,
  refresh_token: token.nullish().catch(null),
  expires_in: z.number().positive().nullish().catch(null),
})

/** @returns null for what is no such answer */
export function grantIn(body: unknown): TokenGrant | null {
  const reply = tokenReply.safeParse(body).data
  if (!reply) return null
  const { access_token, refresh_token, expires_in } = reply
  const renewal =
    refresh_token && expires_in ? { refreshToken: refresh_token, expiresAt: Date.now() + expires_in * 1_000 } : null
  return { token: access_token, renewal }
}

/**
 * Exchanges a refresh token for another token, https://www.rfc-editor.org/rfc/rfc6749#section-6; both old ones end with it.
 * @throws AppError provider_token_invalid when the person has to sign in again, provider_unavailable
 */
export async function renewGrant(
  server: AuthorizationServer,
  refreshToken: string,
  call: GitCall,
): Promise<TokenGrant> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const { status, body, error } = await sendForm(server, server.flow.tokenPath, { ...call, form }).catch(cause => {
    call.signal.throwIfAborted()
    throw cause instanceof AppError
      ? new AppError(
          'provider_unavailable',
          `The sign-in to ${placeOf(server)} has to be renewed, which failed. ${cause.message} Check the network, then try again.`,
          { cause },
        )
      : cause
  })
  const grant = status === 200 && error === null ? grantIn(body) : null
  if (grant) return grant
  if (error === null) {
    const said = `${placeOf(server)} did not answer as ${server.provider.title} does, so the sign-in was not renewed.`
    throw new AppError('provider_unavailable', `${said} Check the network and the host, then try again.`)
  }
  throw new AppError(
    'provider_token_invalid',
    `The sign-in to ${placeOf(server)} has ended: it was revoked, or was not used for too long. Sign in again in Settings › Git.`,
  )
}
