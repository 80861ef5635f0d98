import type { Tool } from '@modelcontextprotocol/client'
import type { McpProblem } from '../api/v1/settings/mcp-states.ts'

/** The life of one tool server of a conversation. While it starts again, the agent keeps the tools that it knew. */
export type ServerState =
  | { kind: 'stopped' }
  | { kind: 'starting'; tools: readonly Tool[] }
  | { kind: 'ready'; tools: readonly Tool[] }
  | { kind: 'failed'; problem: McpProblem }

export type ServerEvent =
  | { kind: 'start' }
  /** It is connected, or its list has changed. */
  | { kind: 'listed'; tools: readonly Tool[] }
  /** The connection went away and is made anew. */
  | { kind: 'lost' }
  | { kind: 'failed'; problem: McpProblem }
  | { kind: 'stop' }

export function next(state: ServerState, event: ServerEvent): ServerState {
  switch (event.kind) {
    case 'start':
      return { kind: 'starting', tools: toolsOf(state) }
    case 'lost':
      return state.kind === 'ready' ? { kind: 'starting', tools: state.tools } : state
    case 'listed':
      return state.kind === 'stopped' ? state : { kind: 'ready', tools: event.tools }
    case 'failed':
      return state.kind === 'stopped' ? state : { kind: 'failed', problem: event.problem }
    case 'stop':
      return { kind: 'stopped' }
  }
}

export function toolsOf(state: ServerState): readonly Tool[] {
  return state.kind === 'ready' || state.kind === 'starting' ? state.tools : []
}
