import { editorCall, PARAMETER_NAMES, patchCall, shellCall, taskCall } from './dialects.ts'

/** Names that other agents give these tools; looked up in small letters. */
const ALIASES: Readonly<Record<string, string>> = {
  bash: 'terminal',
  command: 'terminal',
  execute: 'terminal',
  execute_bash: 'terminal',
  execute_command: 'terminal',
  git: 'terminal',
  reset: 'terminal',
  run: 'terminal',
  run_command: 'terminal',
  run_shell_command: 'terminal',
  run_terminal_cmd: 'terminal',
  shell: 'terminal',
  str_replace: 'file_editor',
  str_replace_editor: 'file_editor',
  str_replace_based_edit_tool: 'file_editor',
  edit: 'file_editor',
  edit_file: 'file_editor',
  replace: 'file_editor',
  insert: 'file_editor',
  view: 'file_editor',
  read: 'file_editor',
  read_file: 'file_editor',
  view_file: 'file_editor',
  list_directory: 'file_editor',
  create: 'file_editor',
  create_file: 'file_editor',
  write: 'file_editor',
  write_file: 'file_editor',
  undo_edit: 'file_editor',
  patch: 'apply_patch',
  applypatch: 'apply_patch',
  search_file_content: 'grep',
  find_files: 'glob',
  todowrite: 'task_tracker',
  todo_write: 'task_tracker',
  update_plan: 'task_tracker',
  complete: 'finish',
  attempt_completion: 'finish',
  submit: 'finish',
}

/** Programs that models call as if they were tools. */
const PROGRAMS: ReadonlySet<string> = new Set([
  'cat',
  'find',
  'git',
  'grep',
  'head',
  'ls',
  'make',
  'npm',
  'pwd',
  'pytest',
  'python',
  'python3',
  'rg',
  'sed',
  'tail',
  'tree',
])

const PLANNING_EDITOR = 'planning_file_editor'

export interface NamedCall {
  name: string
  given: Record<string, unknown>
}

/** Which tool is meant. A tool that exists under the name as it is written is never taken over by an alias. */
export function repairCall(written: string, given: Record<string, unknown>, existing: readonly string[]): NamedCall {
  if (existing.includes(written)) return adapted(written, written, given, existing)
  const plain = withoutGarbage(written)
  const name = existing.includes(plain) ? plain : existing.find(each => each.toLowerCase() === plain.toLowerCase())
  if (name !== undefined) return adapted(name, name, given, existing)
  const alias = plain.toLowerCase()
  const meant = ALIASES[alias] ?? (PROGRAMS.has(alias) ? 'terminal' : undefined)
  const target = meant === 'file_editor' && !existing.includes(meant) ? PLANNING_EDITOR : meant
  if (target === undefined || !existing.includes(target)) return { name: written, given }
  return adapted(target, alias, given, existing)
}

/** `functions.terminal`, `terminal</tool_call>`, `terminal:0`, ` bash(` */
function withoutGarbage(written: string): string {
  return written
    .trim()
    .replace(/^(?:functions?|tools?|default_api)[.:/]/i, '')
    .replace(/[<>"'\s/{(].*$/s, '')
    .replace(/:\d+$/, '')
}

/** @param said the name that was used, where it says what to do */
function adapted(name: string, said: string, given: Record<string, unknown>, existing: readonly string[]): NamedCall {
  const renamed = withParameterNames(name, given)
  switch (name) {
    case 'terminal': {
      const patch = existing.includes('apply_patch') ? patchCall(renamed) : undefined
      return patch ? { name: 'apply_patch', given: patch } : { name, given: shellCall(said, renamed, PROGRAMS) }
    }
    case 'file_editor':
    case PLANNING_EDITOR:
      return { name, given: editorCall(said, renamed) }
    case 'task_tracker':
      return { name, given: taskCall(renamed) }
    default:
      return { name, given: renamed }
  }
}

function withParameterNames(tool: string, given: Record<string, unknown>): Record<string, unknown> {
  const names = PARAMETER_NAMES[tool === PLANNING_EDITOR ? 'file_editor' : tool] ?? {}
  const entries = Object.entries(given).map(([key, value]) => {
    const proper = Object.hasOwn(names, key) ? names[key] : undefined
    return [proper !== undefined && !(proper in given) ? proper : key, value]
  })
  return Object.fromEntries(entries)
}
