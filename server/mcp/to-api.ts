import type { Tool } from '@modelcontextprotocol/client'
import type { McpServer } from '../api/v1/settings/mcp-servers.ts'
import type { McpServerState } from '../api/v1/settings/mcp-states.ts'
import type { NamedServer, RunningServer } from './connection/running-server.ts'
import type { ToolSelection } from './select-tools.ts'

const MAX_DESCRIPTION_LENGTH = 500

interface Running {
  server: RunningServer
  offer: ToolSelection | undefined
  nameOf: (server: RunningServer, tool: Tool) => string
  mask: (text: string) => string
}

export function toServerState(named: NamedServer, { server, offer, nameOf, mask }: Running): McpServerState {
  const common = { ...commonOf(named, mask), log: server.log.lines() }
  const state = server.state()
  switch (state.kind) {
    case 'stopped':
    case 'starting':
      return { ...common, state: state.kind }
    case 'failed':
      return { ...common, state: 'failed', ...state.problem, error: mask(state.problem.error) }
    case 'ready': {
      const tools = (offer?.tools ?? []).map(tool => ({
        name: nameOf(server, tool),
        server_name: tool.name,
        description: mask(tool.description ?? '').slice(0, MAX_DESCRIPTION_LENGTH),
        read_only: tool.annotations?.readOnlyHint === true,
      }))
      return { ...common, state: 'ready', tools, tools_left_out: offer?.leftOut ?? 0 }
    }
  }
}

/** One that waits for the next run. */
export function toStoppedState(named: NamedServer, mask: (text: string) => string): McpServerState {
  return { ...commonOf(named, mask), log: [], state: 'stopped' }
}

function commonOf({ name, source, server }: NamedServer, mask: (text: string) => string) {
  return { name, source, transport: server.transport, detail: mask(detailOf(server)) }
}

function detailOf(server: McpServer): string {
  if (server.transport === 'stdio') return [server.command, ...server.args].join(' ')
  const { origin, pathname } = new URL(server.url)
  return `${origin}${pathname}`
}
