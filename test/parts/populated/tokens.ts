import { storeProviderTokensV1 } from '../../../server/api/v1/settings/secrets.ts'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import type { Around } from './things.ts'

type Where = Pick<Around, 'service' | 'places'>

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

function bothAt(token: string, host: string) {
  return { github: { token, host }, gitlab: { token, host } }
}
