import { createHash } from 'node:crypto'
import type {
  AuthProvider,
  OAuthClientMetadata,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { createMutex } from '../../async/mutex.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { Vault } from '../../secret/vault/vault.ts'
import { library } from './library.ts'

/** What the vault holds of one address. The protocol's own types are wider than what we ever look into. */
const record = z.object({
  url: z.string(),
  /** The address that the client was registered with; another one needs another registration. */
  redirect: z.string().nullable(),
  client: z.custom<StoredOAuthClientInformation>(value => typeof value === 'object').nullable(),
  tokens: z.custom<StoredOAuthTokens>(value => typeof value === 'object').nullable(),
})
export type TokenRecord = z.output<typeof record>

interface Dependencies {
  vault: Vault
  mask: Pick<Mask, 'add'>
  /** For what is asked on behalf of a server at an address. */
  fetchFor: (url: string) => typeof globalThis.fetch
}

/** Who has signed in where: tokens and registrations, in the vault, by the address of the server. */
export class McpTokens {
  readonly #dependencies: Dependencies
  /** One at a time: a refresh token can be used once. */
  readonly #mutex = createMutex()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** For the requests to one address. A token that has run out is renewed; where nobody has signed in, it says so. */
  authFor(url: string): AuthProvider {
    let given: string | undefined
    return {
      token: async () => {
        given = (await this.read(url)).tokens?.access_token
        return given
      },
      onUnauthorized: () =>
        this.#mutex(async () => {
          const { tokens } = await this.read(url)
          if (tokens && tokens.access_token !== given) return
          if (tokens?.refresh_token && (await this.#renew(url))) return
          const { UnauthorizedError } = await library()
          throw new UnauthorizedError()
        }),
    }
  }

  async read(url: string): Promise<TokenRecord> {
    const kept = await this.#dependencies.vault.get(itemOf(url))
    const found = kept === null ? EMPTY(url) : record.parse(JSON.parse(kept))
    for (const value of [found.tokens?.access_token, found.tokens?.refresh_token, found.client?.client_secret]) {
      if (typeof value === 'string') this.#dependencies.mask.add(value)
    }
    return found
  }

  async save(url: string, patch: Partial<TokenRecord>): Promise<void> {
    await this.#dependencies.vault.set(itemOf(url), JSON.stringify({ ...(await this.read(url)), ...patch }))
    await this.read(url)
  }

  async forget(url: string): Promise<void> {
    await this.#dependencies.vault.delete(itemOf(url))
  }

  async #renew(url: string): Promise<boolean> {
    const { redirect } = await this.read(url)
    const client = new StoredClient(this, { url, redirect: redirect ?? 'http://127.0.0.1/' })
    const { auth } = await library()
    return (await auth(client, { serverUrl: url, fetchFn: this.#dependencies.fetchFor(url) })) === 'AUTHORIZED'
  }
}

function itemOf(url: string): string {
  return `mcp_oauth:${createHash('sha256').update(url).digest('hex').slice(0, 32)}`
}

const EMPTY = (url: string): TokenRecord => ({ url, redirect: null, client: null, tokens: null })

/** The protocol's view of one record. By itself it can renew, but not ask anybody to sign in. */
export class StoredClient implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly #tokens: McpTokens
  readonly #url: string

  constructor(tokens: McpTokens, { url, redirect }: { url: string; redirect: string }) {
    this.#tokens = tokens
    this.#url = url
    this.redirectUrl = redirect
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Atelier',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    const { client, redirect } = await this.#tokens.read(this.#url)
    return client && redirect === this.redirectUrl ? client : undefined
  }

  saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    return this.#tokens.save(this.#url, { client, redirect: this.redirectUrl })
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#tokens.read(this.#url)).tokens ?? undefined
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    return this.#tokens.save(this.#url, { tokens })
  }

  redirectToAuthorization(_address: URL): void {}
  saveCodeVerifier(_verifier: string): void {}

  async codeVerifier(): Promise<string> {
    const { UnauthorizedError } = await library()
    throw new UnauthorizedError()
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all') await this.#tokens.forget(this.#url)
    if (scope === 'client') await this.#tokens.save(this.#url, { client: null })
    if (scope === 'tokens') await this.#tokens.save(this.#url, { tokens: null })
  }
}
