import { describe, expect } from 'vitest'
import { createSecret } from '../../../server/api/v1/settings/secrets.ts'
import { createClient } from '../../../server/client/client.ts'
import { it as base } from '../../fixtures/service.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'
import { watchSocket } from '../../parts/client/watch-gateway.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('gateway', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)

const VALUE = 'canary-5f1d0a7c9b'

it.beforeAll(async ({ service }) => {
  const client = createClient({ url: service.url, key: service.key, validate: true })
  await client.call(createSecret, { body: { name: 'DEPLOY_TOKEN', value: VALUE } })
})

describe('a secret that a client’s command prints', () => {
  it.for([
    ['as it is', `echo ${VALUE}; echo ${VALUE} >&2`],
    ['in two writes', `printf ${VALUE.slice(0, 8)}; sleep 0.3; printf ${VALUE.slice(8)}`],
    ['in base64', `printf %s ${VALUE} | base64`],
    ['across the border of two pieces', `head -c 1048570 /dev/zero | tr '\\0' x; printf ${VALUE}`],
  ])('%s is masked in the reply, the history, single events and the socket', async ([_how, command], { gateway }) => {
    const socket = await watchSocket(gateway, '/sockets/bash-events')
    const reply = await gateway.call('POST', '/api/bash/execute_bash_command', { command })
    const seen = await socket.until(frame => frame.kind === 'BashOutput' && frame.exit_code !== null)
    await socket.close()
    const { body: history } = await gateway.call('GET', '/api/bash/bash_events/search?limit=100')
    const { body: event } = await gateway.call('GET', `/api/bash/bash_events/${reply.body.id}`)
    const { body: batch } = await gateway.call(
      'GET',
      `/api/bash/bash_events/search?command_id__eq=${reply.body.command_id}`,
    )
    expect(reply.body.exit_code).toBe(0)
    const printed = batch.items.map((item: { stdout?: string | null }) => item.stdout ?? '').join('')
    expect(printed).toContain('<secret-hidden>')
    for (const shown of [reply.body, seen, history, event, printed]) {
      const text = typeof shown === 'string' ? shown : JSON.stringify(shown)
      expect(text).not.toContain(VALUE)
      expect(text).not.toContain(Buffer.from(VALUE).toString('base64').slice(0, 20))
    }
  })
})
