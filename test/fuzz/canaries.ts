import { addMcpServer } from '../../server/api/v1/settings/mcp-states.ts'
import { createSecretV1, storeProviderTokensV1 } from '../../server/api/v1/settings/secrets.ts'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import { randomToken } from '../../server/domain/ids.ts'
import type { Headless } from '../parts/service/headless.ts'

/** Every secret that is stored begins with it, so that one search finds all of them, whole or cut. */
export const MARK = 'canary-'

/** As it is, in hexadecimal, and in Base64 at each of the three places where a byte can begin. */
const FORMS = [MARK, Buffer.from(MARK).toString('hex'), ...[0, 1, 2].map(base64After)]
const SEEN = new RegExp(FORMS.join('|'), 'i')

function newCanary(): string {
  return MARK + randomToken(16)
}

/** @returns the place where a secret shows, in its surroundings; undefined where there is none */
export function canaryIn(text: string): string | undefined {
  const found = SEEN.exec(text)
  return found ? text.slice(Math.max(0, found.index - 80), found.index + 80) : undefined
}

/** A secret of every kind. Requests may have taken some away since. */
export async function storeCanaries({ client }: Headless, conversationId: string, modelUrl: string): Promise<void> {
  const settings = {
    llm_model: 'openai/scripted',
    llm_base_url: modelUrl,
    llm_api_key: newCanary(),
    search_api_key: `tvly-${newCanary()}`,
    llm_fallback_api_key: newCanary(),
  }
  const keep = (work: Promise<unknown>) => work.catch(() => {})
  await keep(client.call(storeSettings, { body: settings }))
  await keep(client.call(createSecretV1, { body: { name: `CANARY_${randomToken(6)}`, value: newCanary() } }))
  const provider_tokens = { gitlab: { token: newCanary(), host: 'http://127.0.0.1:1' } }
  await keep(client.call(storeSettings, { body: { secrets_store: { provider_tokens } } }))
  await keep(client.call(storeProviderTokensV1, { body: { provider_tokens } }))
  const server = { transport: 'http' as const, url: 'http://127.0.0.1:1/mcp', headers: { authorization: newCanary() } }
  const params = { conversation_id: conversationId }
  await keep(client.call(addMcpServer, { params, body: { name: `server-${randomToken(4)}`, server } }))
}

/** The part of the encoded text that does not depend on what stands before or after. */
function base64After(offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), Buffer.from(MARK)])
  const first = Math.ceil((offset * 8) / 6)
  const last = Math.floor((padded.length * 8) / 6)
  return padded.toString('base64').slice(first, last).replaceAll('+', '\\+')
}
