import type { Express } from 'express'
import { getLocalApiKey, rotateLocalApiKey } from '../api/local-api-key.ts'
import type { LocalApiKey } from '../secret/api-key.ts'
import { keyOf } from './core/guard.ts'
import type { Logins } from './logins.ts'
import { mount } from './mount.ts'

export function mountLocalApiKey(app: Express, { apiKey, logins }: { apiKey: LocalApiKey; logins: Logins }): void {
  mount(app, getLocalApiKey, async () => {
    const kept_in = await apiKey.place()
    return { kept_in, can_rotate: kept_in !== 'environment' }
  })
  app[rotateLocalApiKey.method](rotateLocalApiKey.path, async (request, response) => {
    const knows = apiKey.is(keyOf(request))
    const created = await apiKey.rotate()
    logins.endOthers(keyOf(request))
    const reply = rotateLocalApiKey.reply.parse({ session_api_key: knows ? created : null })
    response.status(rotateLocalApiKey.status).json(reply)
  })
}
