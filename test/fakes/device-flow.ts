import { randomUUID } from 'node:crypto'

interface OAuthAnswer {
  status: number
  body: object
}

const GITHUB = { '/login/device/code': 'code', '/login/oauth/access_token': 'token' } as const
const GITLAB = { '/oauth/authorize_device': 'code', '/oauth/token': 'token' } as const
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * Signing in with a code, as GitHub and GitLab do it: https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#device-flow
 * and https://docs.gitlab.com/api/oauth2/#device-authorization-grant-flow. GitHub says errors with status 200, and its tokens stay valid.
 */
export class FakeDeviceFlow {
  readonly clients = new Set(['known-client'])
  /** In seconds. */
  interval = 1
  codeLife = 600
  tokenLife = 7200
  /** Where the person is sent, if not to the provider itself. */
  verificationUri: string | null = null
  person: 'thinks' | 'allows' | 'denies' = 'thinks'
  /** Errors that the next polls get, whatever the person does. */
  readonly errors: string[] = []
  /** When the token was asked for. */
  readonly polls: number[] = []
  /** Everything that nobody but the client may see. */
  readonly secrets: string[] = []
  readonly forms: URLSearchParams[] = []
  renewals = 0
  /** Nobody can sign in or renew a token; the rest of the provider works. */
  isDown = false
  readonly #codes = new Set<string>()
  readonly #refreshTokens = new Set<string>()

  readonly #address: () => string
  readonly #accepted: Set<string>

  constructor(address: () => string, accepted: Set<string>) {
    this.#address = address
    this.#accepted = accepted
  }

  /** @returns undefined for a path of something else */
  answer(path: string, body: string): OAuthAnswer | undefined {
    const form = new URLSearchParams(body)
    const ofGithub = GITHUB[path as keyof typeof GITHUB]
    const endpoint = ofGithub ?? GITLAB[path as keyof typeof GITLAB]
    if (endpoint === undefined) return undefined
    this.forms.push(form)
    if (this.isDown) return { status: 503, body: {} }
    const answer = endpoint === 'code' ? this.#code(form, ofGithub !== undefined) : this.#token(form, !ofGithub)
    const isError = 'error' in answer
    return { status: isError && !ofGithub ? 400 : 200, body: answer }
  }

  /** No refresh token is worth anything any more. */
  revoke(): void {
    this.#refreshTokens.clear()
  }

  #code(form: URLSearchParams, ofGithub: boolean): object {
    if (!this.clients.has(form.get('client_id') ?? '')) {
      return { error: ofGithub ? 'incorrect_client_credentials' : 'invalid_client' }
    }
    const [error] = this.errors.filter(one => one === 'device_flow_disabled' || one === 'invalid_scope')
    if (error) return { error }
    const device_code = this.#secret('device')
    this.#codes.add(device_code)
    const verification_uri = this.verificationUri ?? `${this.#address()}${ofGithub ? '/login/device' : '/oauth/device'}`
    return {
      device_code,
      user_code: ofGithub ? 'WDJB-MJHT' : '0A44L90H',
      verification_uri,
      expires_in: this.codeLife,
      interval: this.interval,
    }
  }

  #token(form: URLSearchParams, expires: boolean): object {
    if (form.get('grant_type') === 'refresh_token') return this.#renew(form)
    this.polls.push(performance.now())
    const code = form.get('device_code') ?? ''
    if (form.get('grant_type') !== GRANT_TYPE) return { error: 'unsupported_grant_type' }
    if (!this.#codes.has(code)) return { error: 'expired_token' }
    const error = this.errors.shift()
    if (error) return { error, error_description: `The code ${code} is no good.` }
    if (this.person === 'denies') return { error: 'access_denied' }
    if (this.person === 'thinks') return { error: 'authorization_pending' }
    this.#codes.delete(code)
    return this.#tokens(expires)
  }

  #renew(form: URLSearchParams): object {
    if (!this.#refreshTokens.delete(form.get('refresh_token') ?? '')) return { error: 'invalid_grant' }
    this.renewals++
    return this.#tokens(true)
  }

  #tokens(expires: boolean): object {
    const access_token = this.#secret('access')
    this.#accepted.add(`Bearer ${access_token}`)
    if (!expires) return { access_token, token_type: 'bearer', scope: 'repo' }
    const refresh_token = this.#secret('refresh')
    this.#refreshTokens.add(refresh_token)
    return { access_token, token_type: 'Bearer', expires_in: this.tokenLife, refresh_token, scope: 'api' }
  }

  #secret(kind: string): string {
    const secret = `${kind}-${randomUUID()}`
    this.secrets.push(secret)
    return secret
  }
}
