import { readOnlyTools } from './read-only.ts'
import type { Tool } from './tool.ts'

/** Names in which definitions of sub-agents speak of tools, also those of other programs. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  bash: ['terminal'],
  execute_bash: ['terminal'],
  terminaltool: ['terminal'],
  write: ['file_editor', 'apply_patch'],
  edit: ['file_editor', 'apply_patch'],
  multiedit: ['file_editor', 'apply_patch'],
  str_replace_editor: ['file_editor'],
  fileeditortool: ['file_editor'],
  ls: ['glob'],
  todowrite: ['task_tracker'],
  tasktrackertool: ['task_tracker'],
  skill: ['invoke_skill'],
}

/** Names of all browser tools together. */
const BROWSERS = ['browser', 'browser_tool_set', 'browsertoolset']

const ALWAYS = ['think', 'finish']

/** Those tools that are named, in small letters; who may only `read` gets the editor for viewing. */
export function selectTools(tools: readonly Tool[], names: readonly string[]): Tool[] {
  const wanted = new Set([
    ...ALWAYS,
    ...names.flatMap(name => ALIASES[name] ?? [name.replace(/^mcp__.+?__/, ''), name]),
  ])
  const browses = BROWSERS.some(name => wanted.has(name))
  const named = tools.filter(({ name }) => wanted.has(name.toLowerCase()) || (browses && name.startsWith('browser_')))
  if (!wanted.has('read') || wanted.has('file_editor')) return named
  return [...named, ...readOnlyTools(tools).filter(({ name }) => name === 'file_editor')]
}
