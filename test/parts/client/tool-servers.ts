import { listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { listMcpServers, type McpServerState } from '../../../server/api/v1/settings/mcp-states.ts'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import type { Client } from '../../../server/client/client.ts'
import { MCP_STDIO_SERVER } from '../../fakes/mcp-stdio-server.ts'
import { openChanges } from './conversation.ts'

type Service = { client: Client; url: string; key: string }

export const TOKEN = 'tok-0a1b2c3d4e5f6a7b8c9d'
export const COMMAND = { command: 'python3', args: ['-c', MCP_STDIO_SERVER] }
export const NO_SERVERS = { stdio_servers: [], sse_servers: [], shttp_servers: [] }

/** The tool servers of the settings. */
export async function configure(service: Service, servers: Partial<Record<keyof typeof NO_SERVERS, object[]>>) {
  await service.client.call(storeSettings, { body: { mcp_config: { ...NO_SERVERS, ...servers } } as never })
}

export async function statesOf(service: Service, id: string): Promise<McpServerState[]> {
  return (await service.client.call(listMcpServers, { params: { conversation_id: id } })).items
}

/** Told by the change feed. */
export async function untilServers(
  service: Service,
  id: string,
  fits: (states: McpServerState[]) => boolean,
): Promise<McpServerState[]> {
  const changes = await openChanges(service)
  try {
    for (;;) {
      const changed = changes.next()
      const now = await statesOf(service, id)
      if (fits(now)) return now
      await changed
    }
  } finally {
    changes.close()
  }
}

export const allReady = (found: McpServerState[]) => found.every(({ state }) => state === 'ready')

export async function sandboxKeyOf(service: Service, id: string): Promise<string> {
  const found = await service.client.call(listAppConversations, { query: { ids: [id] } })
  return (Array.isArray(found) && found[0]?.session_api_key) || ''
}
