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

/** False for the tools of tool servers and of clients. */
export function isOwnTool(name: string): boolean {
  return OWN.has(name) || name.startsWith('browser_')
}
