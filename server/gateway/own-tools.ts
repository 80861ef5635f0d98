/** The tools that every agent has, by the names that clients know; a browser's come with the sandbox's image. */
export const OWN_TOOLS = [
  'terminal',
  'file_editor',
  'apply_patch',
  'grep',
  'glob',
  'task_tracker',
  'invoke_skill',
  'task',
  'think',
  'finish',
] as const

const OWN: ReadonlySet<string> = new Set([...OWN_TOOLS, 'planning_file_editor'])

/** The class of a tool: its own, or that of all tools of tool servers. */
export function classOf(name: string): { kind: string; action_type: string; observation_type: string } {
  if (!OWN.has(name) && !name.startsWith('browser_')) {
    return { kind: 'MCPToolDefinition', action_type: 'MCPToolAction', observation_type: 'MCPToolObservation' }
  }
  const words = name.split('_').map(word => word.charAt(0).toUpperCase() + word.slice(1))
  const base = words.join('')
  const observed = name.startsWith('browser_') ? 'Browser' : base
  return { kind: `${base}Tool`, action_type: `${base}Action`, observation_type: `${observed}Observation` }
}
