type Given = Record<string, unknown>

/** What other agents call the parameters of these tools. */
export const PARAMETER_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  terminal: { cmd: 'command', input: 'command', script: 'command', code: 'command', command_line: 'command' },
  file_editor: {
    file_path: 'path',
    filepath: 'path',
    absolute_path: 'path',
    target_file: 'path',
    file: 'path',
    filename: 'path',
    content: 'file_text',
    contents: 'file_text',
    old_string: 'old_str',
    new_string: 'new_str',
    old_text: 'old_str',
    new_text: 'new_str',
  },
  apply_patch: { input: 'patch', diff: 'patch', patch_text: 'patch', patchText: 'patch', content: 'patch' },
  grep: { query: 'pattern', regex: 'pattern', glob: 'include', directory: 'path', dir: 'path' },
  glob: { query: 'pattern', glob_pattern: 'pattern', directory: 'path', dir: 'path', dir_path: 'path' },
  task_tracker: {
    tasks: 'task_list',
    todos: 'task_list',
    plan: 'task_list',
    todo_list: 'task_list',
    list: 'task_list',
  },
  think: { content: 'thought', text: 'thought', reasoning: 'thought' },
  finish: { result: 'message', text: 'message', final_thought: 'message', output: 'message', answer: 'message' },
}

/** `git {"command": "status"}` means `git status`, `ls {"path": "src"}` means `ls 'src'`. */
export function shellCall(said: string, given: Given, programs: ReadonlySet<string>): Given {
  if (said === 'reset') return { command: '', ...given, reset: true }
  if (said === 'terminal' || !programs.has(said)) return { ...given, ...argvCommand(given.command) }
  const { command, pattern, path, args } = given
  if (typeof command === 'string') {
    const whole = command === said || command.startsWith(`${said} `) ? command : `${said} ${command}`
    return { ...given, command: whole }
  }
  const list = Array.isArray(args) ? args : [args]
  const words = [pattern, path, ...list].filter(word => typeof word === 'string').map(quote)
  const options = said === 'grep' && typeof pattern === 'string' ? ['-rn', '-e'] : []
  return { ...given, command: [said, ...options, ...words].join(' ') }
}

/**
 * A command given as the list of its words: `["bash", "-lc", "ls"]`, `["git", "commit", "-m", "a b"]`. A text that came
 * in pieces is another thing: it is cut anywhere, so that blanks stand at the ends of pieces or within the first.
 */
function argvCommand(command: unknown): Given {
  if (!Array.isArray(command) || command.length < 2) return {}
  const words = command.filter(word => typeof word === 'string')
  const [program = '', option = '', script = ''] = words
  if (words.length !== command.length || !/^[\w./-]+$/.test(program)) return {}
  if (/^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh$/.test(program) && /^-[a-z]*c$/.test(option)) return { command: script }
  if (words.some(word => word !== word.trim() || word.includes('\n'))) return {}
  return {
    command: [program, ...words.slice(1).map(word => (/^[\w./=:@%+,-]+$/.test(word) ? word : quote(word)))].join(' '),
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** `apply_patch <<'EOF' …` typed into the terminal, or given to it as a list. */
export function patchCall({ command }: Given): Given | undefined {
  const words = Array.isArray(command) ? command.filter(word => typeof word === 'string') : [command]
  const text = words.at(-1)
  if (typeof text !== 'string') return undefined
  const isList = words.length === 2 && words[0] === 'apply_patch'
  const typed =
    /^\s*apply_patch\s+<<-?\s*['"]?(\w+)['"]?\n(\*\*\* Begin Patch\n[\s\S]*?\n\*\*\* End Patch)\s*\n\1\s*$/.exec(text)
  if (typed) return { patch: typed[2] }
  return isList && text.trimStart().startsWith('*** Begin Patch') ? { patch: text } : undefined
}

const EDITOR_COMMANDS: Readonly<Record<string, string>> = {
  view: 'view',
  read: 'view',
  read_file: 'view',
  view_file: 'view',
  list_directory: 'view',
  create: 'create',
  create_file: 'create',
  write: 'create',
  write_file: 'create',
  insert: 'insert',
  undo_edit: 'undo_edit',
}

/** What to do follows from the name that was used, or from the texts that were given. */
export function editorCall(said: string, given: Given): Given {
  const call = withRange(given)
  if (call.command !== undefined) return call
  const named = EDITOR_COMMANDS[said]
  if (named !== undefined) return { ...call, command: named }
  if (call.old_str !== undefined) return { ...call, command: 'str_replace' }
  if (call.insert_line !== undefined) return { ...call, command: 'insert' }
  if (call.file_text !== undefined) return { ...call, command: 'create' }
  return { ...call, command: 'view' }
}

/** `start_line` and `end_line`, or `offset` and `limit`, both counted from 1. */
function withRange(given: Given): Given {
  if (given.view_range !== undefined) return given
  const first = Number(given.start_line ?? given.offset)
  if (!Number.isInteger(first) || first < 1) return given
  const limit = Number(given.limit)
  const last = Number(given.end_line ?? (limit > 0 ? first + limit - 1 : -1))
  return Number.isInteger(last) ? { ...given, view_range: [first, last] } : given
}

/** With a list, it is to be written; without, to be shown. Tasks have a title under whatever name, or are only that. */
export function taskCall(given: Given): Given {
  const command = given.command ?? (given.task_list === undefined ? 'view' : 'plan')
  if (!Array.isArray(given.task_list)) return { ...given, command }
  const task_list = given.task_list.map(task => {
    if (typeof task === 'string' && !task.trimStart().startsWith('{')) return { title: task }
    if (typeof task !== 'object' || task === null) return task
    const { title, content, task: name, step, description, ...rest } = task
    return { ...rest, title: title ?? content ?? name ?? step ?? description }
  })
  return { ...given, command, task_list }
}
