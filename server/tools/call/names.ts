const ALIASES: Readonly<Record<string, string>> = {
  bash: 'terminal',
  command: 'terminal',
  execute: 'terminal',
  execute_bash: 'terminal',
  git: 'terminal',
  reset: 'terminal',
  run: 'terminal',
  run_command: 'terminal',
  shell: 'terminal',
  str_replace: 'file_editor',
  str_replace_editor: 'file_editor',
  str_replace_based_edit_tool: 'file_editor',
}

/** Programs that models call as if they were tools. */
const PROGRAMS: ReadonlySet<string> = new Set(['cat', 'find', 'git', 'grep', 'ls', 'pwd', 'rg', 'sed', 'tree'])

const OTHER_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  terminal: { cmd: 'command', input: 'command', script: 'command', code: 'command' },
  file_editor: {
    file_path: 'path',
    filepath: 'path',
    file: 'path',
    filename: 'path',
    content: 'file_text',
    old_string: 'old_str',
    new_string: 'new_str',
  },
}

export interface NamedCall {
  name: string
  given: Record<string, unknown>
}

/** Which tool is meant. A tool that exists under the name as it is written is never taken over by an alias. */
export function repairCall(written: string, given: Record<string, unknown>, existing: readonly string[]): NamedCall {
  if (existing.includes(written)) return withParameterNames({ name: written, given })
  const name = written.replace(/[<>"'\s/{(].*$/s, '').trim()
  if (existing.includes(name)) return withParameterNames({ name, given })
  const target = ALIASES[name] ?? (PROGRAMS.has(name) ? 'terminal' : undefined)
  if (target === undefined || !existing.includes(target)) return { name: written, given }
  const call = withParameterNames({ name: target, given })
  return { name: target, given: target === 'terminal' ? shellCall(name, call.given) : editorCall(call.given) }
}

function withParameterNames({ name, given }: NamedCall): NamedCall {
  const names = OTHER_NAMES[name] ?? {}
  const entries = Object.entries(given).map(([key, value]) => {
    const proper = names[key]
    return [proper !== undefined && !(proper in given) ? proper : key, value]
  })
  return { name, given: Object.fromEntries(entries) }
}

/** `git {"command": "status"}` means `git status`, `ls {"path": "src"}` means `ls 'src'`. */
function shellCall(name: string, given: Record<string, unknown>): Record<string, unknown> {
  if (name === 'reset') return { command: '', ...given, reset: true }
  if (!PROGRAMS.has(name)) return given
  const { command, pattern, path, args } = given
  if (typeof command === 'string') {
    const whole = command === name || command.startsWith(`${name} `) ? command : `${name} ${command}`
    return { ...given, command: whole }
  }
  const list = Array.isArray(args) ? args : [args]
  const words = [pattern, path, ...list].filter(word => typeof word === 'string').map(quote)
  const options = name === 'grep' && typeof pattern === 'string' ? ['-rn', '-e'] : []
  return { ...given, command: [name, ...options, ...words].join(' ') }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

function editorCall(given: Record<string, unknown>): Record<string, unknown> {
  if (given.command !== undefined) return given
  if (given.old_str !== undefined) return { ...given, command: 'str_replace' }
  if (given.insert_line !== undefined) return { ...given, command: 'insert' }
  if (given.file_text !== undefined) return { ...given, command: 'create' }
  return { ...given, command: 'view' }
}
