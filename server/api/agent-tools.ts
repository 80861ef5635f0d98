import { OWN_TOOLS } from './event/own-tools.ts'

/** Stands for all browser tools, which come with the sandbox's image. */
export const BROWSER_TOOLS = 'browser_tool_set'
/** What an agent has that a client gives a choice of tools, unless it says otherwise. */
export const DEFAULT_TOOLS = { FinishTool: 'finish', ThinkTool: 'think' } as const

const PLAN_EDITOR = 'planning_file_editor'

/** Names of other versions and sets. */
const ALIASES: Readonly<Record<string, string>> = {
  bash: 'terminal',
  execute_bash: 'terminal',
  str_replace_editor: 'file_editor',
  browser: BROWSER_TOOLS,
  task_tool_set: 'task',
  delegate: 'task',
}

const KNOWN: ReadonlySet<string> = new Set([...OWN_TOOLS, PLAN_EDITOR, BROWSER_TOOLS])

/** A tool by the name that clients give it, as `terminal` or `TerminalTool`. @returns null when there is none */
export function agentToolOf(name: string): string | null {
  const plain = name
    .replace(/Tool$/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
  const meant = ALIASES[plain] ?? plain
  return KNOWN.has(meant) || /^browser_[a-z_]{1,40}$/.test(meant) ? meant : null
}
