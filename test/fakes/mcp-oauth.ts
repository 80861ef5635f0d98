import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface FakeOAuth {
  /** Off lets everybody in. */
  on: boolean
  /** How often a client was registered, a code was redeemed, a token was renewed. */
  registered: number
  redeemed: number
  renewed: number
  /** The access tokens that are somebody's. */
  valid: Set<string>
  /** What a person does in the browser: follows the address and comes back. @returns where the browser is sent */
  visit(authorizationUrl: string): Promise<string>
  handle(path: string, request: IncomingMessage, exchange: { reply: ServerResponse; body: string }): boolean
  refuses(authorization: string | undefined, reply: ServerResponse): boolean
}

/** An authorization server: discovery, dynamic registration, codes with PKCE, and refresh tokens that count once. */
export function createOAuth(base: string): FakeOAuth {
  const codes = new Map<string, { challenge: string; redirect: string }>()
  const refreshTokens = new Set<string>()
  const clients = new Map<string, string[]>()

  const tokens = () => {
    const access_token = `access-${randomUUID()}`
    const refresh_token = `refresh-${randomUUID()}`
    oauth.valid.add(access_token)
    refreshTokens.add(refresh_token)
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: 3600 }
  }
  const documents: Record<string, () => object> = {
    '/.well-known/oauth-protected-resource/mcp': () => ({ resource: `${base}/mcp`, authorization_servers: [base] }),
    '/.well-known/oauth-authorization-server': () => ({
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      registration_endpoint: `${base}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    }),
  }
  const authorize = (query: URLSearchParams, reply: ServerResponse) => {
    const redirect = query.get('redirect_uri') ?? ''
    if (!clients.get(query.get('client_id') ?? '')?.includes(redirect)) return void reply.writeHead(400).end()
    const code = randomUUID()
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect })
    const back = new URL(redirect)
    back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString()
    reply.writeHead(302, { location: back.href }).end()
  }
  const redeem = (form: URLSearchParams): object | undefined => {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || code.challenge !== proof || code.redirect !== form.get('redirect_uri')) return undefined
    oauth.redeemed++
    return tokens()
  }
  const renew = (form: URLSearchParams): object | undefined => {
    if (!refreshTokens.delete(form.get('refresh_token') ?? '')) return undefined
    oauth.renewed++
    return tokens()
  }
  const oauth: FakeOAuth = {
    on: false,
    registered: 0,
    redeemed: 0,
    renewed: 0,
    valid: new Set(),
    visit: async authorizationUrl => {
      const response = await fetch(authorizationUrl, { redirect: 'manual' })
      return response.headers.get('location') ?? ''
    },
    handle: (path, request, { reply, body }) => {
      if (!oauth.on) return false
      const document = documents[path]
      if (document) json(reply, 200, document())
      else if (path === '/register') {
        oauth.registered++
        const asked = JSON.parse(body) as { redirect_uris: string[] }
        const client_id = `client-${randomUUID()}`
        clients.set(client_id, asked.redirect_uris)
        json(reply, 201, { ...asked, client_id })
      } else if (path === '/authorize') authorize(new URL(request.url ?? '', base).searchParams, reply)
      else if (path === '/token') {
        const form = new URLSearchParams(body)
        const given = form.get('grant_type') === 'refresh_token' ? renew(form) : redeem(form)
        json(reply, given ? 200 : 400, given ?? { error: 'invalid_grant' })
      } else return false
      return true
    },
    refuses: (authorization, reply) => {
      if (!oauth.on || oauth.valid.has((authorization ?? '').replace('Bearer ', ''))) return false
      const metadata = `${base}/.well-known/oauth-protected-resource/mcp`
      reply.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end()
      return true
    },
  }
  return oauth
}

function json(reply: ServerResponse, status: number, value: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
