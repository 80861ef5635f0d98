import { isOwnTool } from '../../api/event/own-tools.ts'

/** The class of a tool: its own, or that of all tools of tool servers. */
export function toolClassOf(name: string): { kind: string; action_type: string; observation_type: string } {
  if (!isOwnTool(name)) {
    return { kind: 'MCPToolDefinition', action_type: 'MCPToolAction', observation_type: 'MCPToolObservation' }
  }
  const words = name.split('_').map(word => word.charAt(0).toUpperCase() + word.slice(1))
  const base = words.join('')
  const observed = name.startsWith('browser_') ? 'Browser' : base
  return { kind: `${base}Tool`, action_type: `${base}Action`, observation_type: `${observed}Observation` }
}
