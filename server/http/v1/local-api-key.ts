import type { Express } from 'express'
import { getLocalApiKey, rotateLocalApiKey } from '../../api/v1/system/local-api-key.ts'
import { endLogin, endLogins, listLogins } from '../../api/v1/system/logins.ts'
import { eraseStorage } from '../../api/v1/system/storage.ts'
import { login } from '../../api/v1/system/system.ts'
import type { LocalApiKey } from '../../secret/api-key.ts'
import type { StorageService } from '../../system/storage.ts'
import { mount } from '../mount/mount.ts'
import { browserName } from './browser-name.ts'
import type { Logins } from './logins.ts'

/** The key of this API, the logins of browsers, which have keys of their own, and what ends both. */
export function mountLocalApiKey(
  app: Express,
  { apiKey, logins, storage }: { apiKey: LocalApiKey; logins: Logins; storage: Pick<StorageService, 'erase'> },
): void {
  mount(app, getLocalApiKey, async () => {
    const kept_in = await apiKey.place()
    return { kept_in, can_rotate: kept_in !== 'environment' }
  })
  mount(app, rotateLocalApiKey, async ({ caller }) => {
    const knows = apiKey.is(caller.key)
    const created = await apiKey.rotate()
    logins.endOthers(caller.key)
    return { session_api_key: knows ? created : null }
  })
  mount(app, eraseStorage, async ({ caller }) => {
    await storage.erase()
    // Whoever comes after is not read by the browsers of before.
    logins.endOthers(caller.key)
    return { restarting: true as const }
  })
  mount(app, login, ({ body, caller }) => ({
    session_api_key: logins.redeem(body.code, browserName(caller.userAgent)),
  }))
  mount(app, listLogins, ({ caller }) => ({ items: logins.list(caller.key) }))
  mount(app, endLogin, ({ params }) => {
    logins.end(params.login_id)
    return { success: true }
  })
  mount(app, endLogins, ({ caller }) => {
    logins.endOthers(caller.key)
    return { success: true }
  })
}
