import { expect } from 'vitest'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { startMcpServer } from '../../fakes/mcp-http-server.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { allReady, COMMAND, configure, untilServers } from '../../parts/client/tool-servers.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base.extend('remote', { scope: 'file' }, async ({}, { onCleanup }) => {
  const remote = await startMcpServer()
  onCleanup(() => remote.close())
  return remote
})

it('serves an agent whose sandbox has no network with tools over HTTP, and with those of the sandbox', async ({
  service,
  model,
  remote,
}) => {
  const [builtIn] = (await service.client.call(searchSandboxSpecs, { query: {} })).items
  const body = { title: 'Closed', image: builtIn?.image ?? '', network: 'none' as const }
  const spec = await service.client.call(createSandboxSpec, { body })
  await configure(service, {
    shttp_servers: [{ url: remote.url }],
    stdio_servers: [{ name: 'inside', ...COMMAND }],
  })
  const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
  let asked = 0
  model.setScript(async () => {
    asked++
    if (asked === 2) return call('search', { query: 'cats' })
    if (asked === 3) return call('finish', { message: 'Done.' })
    await untilServers(service, task.app_conversation_id ?? '', found => found.length === 2 && allReady(found))
    return call('think', { thought: 'Wait.' })
  })
  const task = await startConversation(service, { sandbox_spec_id: spec.id, initial_message: said('Find cats') })
  const seen = await watch(service, task.app_conversation_id ?? '')
  try {
    await seen.untilStatus('finished')
    expect(seen.of('ObservationEvent').map(({ observation }) => observation)[1]).toMatchObject({
      kind: 'MCPToolObservation',
      is_error: false,
      content: [{ type: 'text', text: 'search {"query":"cats"}' }],
    })
  } finally {
    await seen.close()
  }
})
