import { startGitSignIn } from '../../../server/api/v1/git/sign-ins.ts'
import { storeProviderTokensV1 } from '../../../server/api/v1/settings/secrets.ts'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import type { Around } from './things.ts'

type Where = Pick<Around, 'service' | 'places'>

/** Tokens of git providers, good and bad, and a sign-in to one. */
export function tokenThings(around: () => Where): Record<string, () => Promise<string>> {
  return {
    token: () => storedToken(around(), 'good'),
    noToken: () => storedToken(around(), null),
    revokedToken: () => uncheckedToken(around(), 'revoked'),
    forbiddenToken: () => uncheckedToken(around(), 'token-without-rights'),
    limitedToken: () => uncheckedToken(around(), 'token-asked-too-often'),
    misplacedToken: () => uncheckedToken(around(), 'good', 'http://user:password@localhost'),
    lostToken: () => uncheckedToken(around(), 'good', 'http://127.0.0.1:1'),
    gitSignIn: () => gitSignIn(around()),
  }
}

/** Of two git providers, which were asked about it; null takes all away. */
export async function storedToken({ service, places }: Where, token: string | null): Promise<string> {
  const provider_tokens = token === null ? {} : bothAt(token, places.provider)
  await service.client.call(storeProviderTokensV1, { body: { provider_tokens } })
  return token ?? ''
}

/** That no provider was asked about. */
export async function uncheckedToken({ service, places }: Where, token: string, host?: string): Promise<string> {
  const secrets_store = { provider_tokens: bothAt(token, host ?? places.provider) }
  await service.client.call(storeSettings, { body: { secrets_store } })
  return token
}

/** That waits for a person. */
async function gitSignIn({ service, places }: Where): Promise<string> {
  const body = { provider: 'github', host: places.provider, client_id: 'known-client' } as const
  return (await service.client.call(startGitSignIn, { body })).id
}

function bothAt(token: string, host: string) {
  return { github: { token, host }, gitlab: { token, host } }
}
