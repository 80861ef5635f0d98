import { describe, expect } from 'vitest'
import { ROUTES } from '../../../server/api/contract/routes.ts'
import { it as base } from '../../fixtures/service.ts'
import { sendOperation } from '../../parts/operation/call.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('get', { scope: 'file' }, ({ service }) => (path: string, headers: Record<string, string>) => {
    return sendOperation({ url: service.url + path, method: 'GET', headers, body: undefined })
  })

const read = ROUTES.filter(route => !route.open && route.key !== 'sandbox' && route.method === 'get')

describe('a key of this service beside that of another', () => {
  it.for(read.map(({ path }) => path))('opens GET %s, whichever place it stands in', async (path, { service, get }) => {
    for (const headers of [
      { 'X-Session-API-Key': 'of-an-agent-server', Authorization: `Bearer ${service.key}` },
      { 'X-Session-API-Key': service.key, Authorization: 'Bearer of-an-agent-server' },
    ]) {
      const reply = await get(path.replaceAll(/\{\w+\}/g, 'x'), headers)
      // Where there is no token of a git provider the status is 401, too.
      expect(reply.body).not.toMatchObject({ code: 'unauthorized' })
    }
  })

  it('is the one whose login is meant', async ({ service, get }) => {
    const code = new URL(service.service.loginLink()).hash.replace('#login=', '')
    const login = await sendOperation({
      url: `${service.url}/api/v1/login`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ code })),
    })
    const { session_api_key } = login.body as { session_api_key: string }
    const headers = { 'X-Session-API-Key': 'of-an-agent-server', Authorization: `Bearer ${session_api_key}` }
    expect((await get('/api/v1/logins', headers)).body).toMatchObject({ items: [{ is_current: true }] })
  })
})

it('two keys of others open nothing', async ({ get }) => {
  const headers = { 'X-Session-API-Key': 'of-an-agent-server', Authorization: 'Bearer of-another' }
  expect((await get('/api/v1/users/me', headers)).status).toBe(401)
})
