import { listLogins } from '../../../server/api/v1/system/logins.ts'
import { login } from '../../../server/api/v1/system/system.ts'
import { createClient } from '../../../server/client/client.ts'
import type { TestService } from '../service/service.ts'

/** Logs a browser in with a one-time link. @returns its key */
export async function logBrowserIn(service: Pick<TestService, 'service' | 'url'>, userAgent?: string): Promise<string> {
  const code = new URL(service.service.loginLink()).hash.replace('#login=', '')
  if (userAgent === undefined) {
    return (await createClient({ url: service.url, key: null }).call(login, { body: { code } })).session_api_key
  }
  const reply = await fetch(`${service.url}${login.path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
    body: JSON.stringify({ code }),
  })
  return login.reply.parse(await reply.json()).session_api_key
}

/** The id of a browser's login. */
export async function browserLoginOf(service: TestService): Promise<string> {
  const client = createClient({ url: service.url, key: await logBrowserIn(service) })
  const { items } = await client.call(listLogins, {})
  return items.find(({ is_current }) => is_current)?.id ?? ''
}
