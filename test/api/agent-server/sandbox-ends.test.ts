import { describe, expect } from 'vitest'
import { GATEWAY_OPERATIONS } from '../../../server/api/agent-server/contract.ts'
import { batchGetSandboxes, startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { sandboxKey } from '../../../server/secret/sandbox-key.ts'
import { it as base } from '../../fixtures/service.ts'
import { openChanges, startConversation } from '../../parts/client/conversation.ts'
import { sendOperation } from '../../parts/operation/call.ts'
import { filled } from '../../parts/operation/fill.ts'
import { expectNamed } from '../../parts/operation/named-failures.ts'
import { startUnreliableModel } from '../../parts/unreliable-model.ts'
import { GATEWAY_CASES } from '../cases/tables.ts'

const it = base
  .extend('model', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { model } = await startUnreliableModel()
    onCleanup(() => model.close())
    return model
  })
  .extend('untilStatus', { scope: 'file' }, ({ service }) => async (sandbox: string, status: string): Promise<void> => {
    const changes = await openChanges(service)
    for (;;) {
      const changed = changes.next()
      const [now] = await service.client.call(batchGetSandboxes, { query: { id: [sandbox] } })
      if (now?.status === status) return changes.close()
      await changed
    }
  })
  /** Once `/end` is there its main process ends, also whenever it is started again. */
  .extend('sandbox', { scope: 'file' }, async ({ service, untilStatus }) => {
    const [builtIn] = (await service.client.call(searchSandboxSpecs, { query: {} })).items.filter(one => one.built_in)
    const command = ['/bin/sh', '-c', 'while [ ! -e /end ]; do sleep 0.1; done']
    const spec = { title: 'Ends', image: builtIn?.image ?? '', command }
    const sandbox_spec_id = (await service.client.call(createSandboxSpec, { body: spec })).id
    const { id } = await service.client.call(startSandbox, { body: { sandbox_spec_id } })
    await untilStatus(id, 'RUNNING')
    return id
  })
  .extend(
    'send',
    { scope: 'file' },
    ({ service, sandbox }) =>
      (method: string, path: string, body: Buffer | undefined) => {
        return sendOperation({
          url: service.service.gatewayUrl + path,
          method,
          headers: { 'X-Session-API-Key': sandboxKey(service.key, sandbox), 'Content-Type': 'application/json' },
          body,
        })
      },
  )
  /** Works in the sandbox, which has ended since. */
  .extend('conversation', { scope: 'file' }, async ({ service, sandbox, send, untilStatus }) => {
    const task = await startConversation(service, { sandbox_id: sandbox })
    const end = await send('POST', '/api/bash/execute_bash_command', Buffer.from('{"command":"touch /end"}'))
    expect(end.status, JSON.stringify(end.body)).toBeLessThan(500)
    await untilStatus(sandbox, 'PAUSED')
    return task.app_conversation_id ?? ''
  })
  /** All conversations are the one that works in it. */
  .extend('resolve', { scope: 'file' }, ({ conversation }) => async (name: string) => {
    return CONVERSATIONS.has(name) ? conversation : 'x'
  })

const CONVERSATIONS = new Set(['conversation', 'new', 'running', 'waiting', 'clientCall'])
/** They would take from the others what they are about. */
const LAST = new Set(['deleteGatewayConversation'])

describe('in a sandbox that ends as soon as it is resumed', () => {
  const all = [...GATEWAY_OPERATIONS].filter(([name]) => !LAST.has(name))

  it.for(all)('%s is answered with nothing that it does not name', async ([name, route], { resolve, send }) => {
    const given = GATEWAY_CASES[name]?.success ?? {}
    const params = await filled(given.params ?? {}, resolve)
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, one: string) => encodeURIComponent(params[one] ?? 'x'))
    const search = new URLSearchParams()
    for (const [one, value] of Object.entries(await filled(given.query ?? {}, resolve))) {
      for (const each of [value].flat()) search.append(one, String(each))
    }
    const sent = given.body === undefined ? undefined : JSON.stringify(await filled(given.body, resolve))
    const body = given.raw ?? sent
    const reply = await send(
      route.method.toUpperCase(),
      `${path}?${search}`,
      body === undefined ? undefined : Buffer.from(body),
    )
    expectNamed(route, reply)
  })
})
