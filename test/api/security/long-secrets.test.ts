import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { createSecretV1 } from '../../../server/api/v1/settings/secrets.ts'
import { it as base } from '../../fixtures/base.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { gatewayCaller } from '../../parts/client/gateway.ts'
import { watch } from '../../parts/client/watch.ts'
import { removeSandboxesOf } from '../../parts/engine/containers.ts'
import { startHeadless } from '../../parts/service/headless.ts'

const it = base
  .extend('service', { scope: 'file' }, ({}) => startHeadless())
  .extend(
    'request',
    { scope: 'file' },
    ({ service }) =>
      async (method: string, path: string, body: unknown, key: string | null = service.key) => {
        const reply = await fetch(service.url + path, {
          method,
          headers: { 'Content-Type': 'application/json', ...(key !== null && { 'X-Session-API-Key': key }) },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        })
        return { status: reply.status, text: await reply.text() }
      },
  )

const MODEL_KEY = 'sk-long-secrets-0c9d1e2f'
/** As long as a value may be, and with no two lines or parts alike. */
const long = () => randomBytes(32_768).toString('hex')

it.beforeAll(async ({ request, model }) => {
  await request('POST', '/api/v1/settings', {
    llm_model: 'openai/scripted',
    llm_base_url: model.url.openai,
    llm_api_key: MODEL_KEY,
  })
})
it.afterAll(async ({ service }) => {
  await service?.end('SIGTERM')
  if (service) await removeSandboxesOf(service.dataDir)
})

it('a secret of 65,536 characters neither ends the service nor makes its errors show keys', async ({
  service,
  request,
  model,
}) => {
  const secret = long()
  await service.client.call(createSecretV1, { body: { name: 'CERTS', value: secret } })
  const refusals = [
    await request('POST', '/api/v1/login', '{', null),
    await request('POST', '/api/v1/login', { code: 'x' }, null),
    await request('POST', '/api/v1/settings', { language: 5 }),
    await request('POST', '/api/v1/app-conversations', { bad: 1, title: 5 }),
  ]
  for (const { status, text } of refusals) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(text.length).toBeLessThan(2000)
    for (const hidden of [service.key, MODEL_KEY, secret.slice(0, 32)]) expect(text).not.toContain(hidden)
  }
  model.setScript([
    {
      toolCalls: [{ name: 'terminal', arguments: { command: 'echo "$CERTS" | base64 | head -n 3; echo "[$CERTS]"' } }],
    },
    { text: 'Done.' },
  ])
  const { app_conversation_id: id } = await startConversation(service, { initial_message: said('Print it') })
  const seen = await watch(service, id ?? '')
  await seen.untilStatus('finished')
  const told = JSON.stringify(seen.frames)
  expect(told).toContain('[<secret-hidden>]')
  expect(told).not.toContain(secret.slice(0, 32))
  expect(told).not.toContain(Buffer.from(secret).toString('base64').slice(0, 32))
  await seen.close()
  expect(service.process.exitCode).toBeNull()
})

it('a program in a sandbox cannot make the gateway show keys by a secret of its own', async ({
  model,
  service,
  request,
}) => {
  model.setScript([{ text: 'Done.' }])
  const { app_conversation_id: id = '', sandbox_id } = await startConversation(service, {})
  const sandboxes = JSON.parse((await request('GET', `/api/v1/sandboxes?id=${sandbox_id}`, undefined)).text)
  const key = sandboxes[0].session_api_key
  const caller = gatewayCaller({ service }, key)
  const kept = await caller.call('POST', `/api/conversations/${id}/secrets`, { secrets: { BIG: long() } })
  expect(kept.status).toBe(200)
  const refused = await caller.call('POST', '/api/bash/execute_bash_command', {})
  expect(refused.status).toBe(422)
  const text = JSON.stringify(refused)
  expect(text.length).toBeLessThan(2000)
  for (const hidden of [service.key, MODEL_KEY]) expect(text).not.toContain(hidden)
  expect((await caller.call('DELETE', `/api/conversations/${id}`)).status).toBe(200)
})
