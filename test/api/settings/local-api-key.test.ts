import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { countAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { getLocalApiKey, rotateLocalApiKey } from '../../../server/api/v1/system/local-api-key.ts'
import { endLogin, endLogins, listLogins } from '../../../server/api/v1/system/logins.ts'
import { createClient } from '../../../server/client/client.ts'
import { it as base } from '../../fixtures/service.ts'
import { gatewayCaller, startGatewaySandbox } from '../../parts/client/gateway.ts'
import { refusal, watchLegacy } from '../../parts/client/legacy.ts'
import { startTestService } from '../../parts/service/service.ts'
import { logBrowserIn } from '../../parts/window/login.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  /** The local API key, which a test replaces. */
  .extend('local', { scope: 'file' }, ({ service }) => ({ key: service.key }))
  .extend('client', { scope: 'file' }, ({ service }) => (key: string) => {
    return createClient({ url: service.url, key, validate: true })
  })

function openSocket(path: string, key: string): Promise<{ closed: Promise<number> }> {
  const socket = new WebSocket(path, { headers: { 'X-Session-API-Key': key } })
  const closed = new Promise<number>(resolve => socket.once('close', resolve))
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ closed }))
    socket.once('error', reject)
  })
}

it('is replaced: the old key, its sockets and the old keys of sandboxes are refused at once', async ({
  service,
  local,
  client,
}) => {
  const { key } = local
  const sandbox = await startGatewaySandbox(service)
  const window = service.service.windowKey()
  const updates = await openSocket(`${service.url.replace('http', 'ws')}/sockets/updates`, key)
  const bash = await openSocket(`${sandbox.caller.url.replace('http', 'ws')}/sockets/bash-events`, sandbox.caller.key)
  expect((await sandbox.caller.call('GET', '/api/tools/')).status).toBe(200)
  expect(await client(key).call(getLocalApiKey, {})).toEqual({ kept_in: 'memory', can_rotate: true })

  const { session_api_key: created } = await client(key).call(rotateLocalApiKey, {})

  expect(await updates.closed).toBe(4001)
  expect(await bash.closed).toBe(4001)
  await expect(client(key).call(countAppConversations, {})).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await gatewayCaller(service, key).call('GET', '/api/tools/')).status).toBe(401)
  expect((await sandbox.caller.call('GET', '/api/tools/')).status).toBe(401)
  await expect(
    openSocket(`${service.url.replace('http', 'ws')}/sockets/updates`, key).then(one => one.closed),
  ).resolves.toBe(4001)
  expect(await refusal(watchLegacy({ url: service.url, key }, 'x'))).toBe('invalid_session_api_key')

  expect(await client(created ?? '').call(countAppConversations, {})).toBe(0)
  expect(await client(window).call(countAppConversations, {})).toBe(0)
  const shown = await fetch(`${service.url}/api/v1/sandboxes?id=${sandbox.id}`, {
    headers: { 'X-Session-API-Key': created ?? '' },
  })
  const [{ session_api_key: sandboxKey }] = (await shown.json()) as [{ session_api_key: string }]
  expect(sandboxKey).not.toBe(sandbox.caller.key)
  expect((await gatewayCaller(service, sandboxKey).call('GET', '/api/tools/')).status).toBe(200)
  local.key = created ?? ''
})

it('is not shown to the login of a window or browser, which goes on', async ({ service, client, local }) => {
  const browser = await logBrowserIn(service)
  expect(await client(browser).call(rotateLocalApiKey, {})).toEqual({ session_api_key: null })
  await expect(client(local.key).call(countAppConversations, {})).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await client(browser).call(countAppConversations, {})).toBe(0)
})

it('ends the logins of all other browsers, and their sockets at once, on both ports', async ({ service, client }) => {
  const [mine, other] = [await logBrowserIn(service), await logBrowserIn(service)]
  const updates = await openSocket(`${service.url.replace('http', 'ws')}/sockets/updates`, other)
  const gateway = service.service.gatewayUrl.replace('http', 'ws')
  const bash = await openSocket(`${gateway}/sockets/bash-events`, other)
  await client(mine).call(rotateLocalApiKey, {})
  expect(await updates.closed).toBe(4001)
  expect(await bash.closed).toBe(4001)
  await expect(client(other).call(countAppConversations, {})).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await gatewayCaller(service, other).call('GET', '/api/tools/')).status).toBe(401)
  expect(await client(mine).call(countAppConversations, {})).toBe(0)
})

it('logins of browsers are listed with what they are, and ended one by one and all at once, with their sockets', async ({
  client,
  service,
}) => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
  await client(service.service.windowKey()).call(endLogins, {})
  const [mine, other, third] = [
    await logBrowserIn(service, FIREFOX),
    await logBrowserIn(service, '<script>'),
    await logBrowserIn(service),
  ]
  const listed = async () => (await client(mine).call(listLogins, {})).items
  expect((await listed()).map(({ browser, is_current }) => [browser, is_current])).toEqual(
    expect.arrayContaining([
      ['Firefox on Linux', true],
      [null, false],
      [null, false],
    ]),
  )
  expect(JSON.stringify(await listed())).not.toContain(mine)
  const updates = await openSocket(`${service.url.replace('http', 'ws')}/sockets/updates`, other)
  await client(other).call(countAppConversations, {})
  const [oldest] = (await client(other).call(listLogins, {})).items.filter(({ is_current }) => is_current)
  await client(mine).call(endLogin, { params: { login_id: oldest?.id ?? '' } })
  expect(await updates.closed).toBe(4001)
  await expect(client(other).call(countAppConversations, {})).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await listed()).toHaveLength(2)
  await client(mine).call(endLogins, {})
  await expect(client(third).call(countAppConversations, {})).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await listed()).map(({ is_current }) => is_current)).toEqual([true])
})

it('that was given with SESSION_API_KEY is refused to be rotated, with what to do', async () => {
  const given = await startTestService({ givenKey: true })
  try {
    expect(await given.client.call(getLocalApiKey, {})).toEqual({ kept_in: 'environment', can_rotate: false })
    await expect(given.client.call(rotateLocalApiKey, {})).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('SESSION_API_KEY'),
    })
    expect(await given.client.call(countAppConversations, {})).toBe(0)
  } finally {
    await given.close()
  }
})
