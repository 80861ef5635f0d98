/** A call as a model wrote it and the action that is meant. */
export interface UnderstoodCase {
  name: string
  call: [tool: string, parameters: string | Record<string, unknown>]
  action: Record<string, unknown>
  also?: Record<string, unknown>
}

export interface RefusedCase {
  name: string
  call: [tool: string, parameters: string | Record<string, unknown>]
  says: string | RegExp
}

const run = (command: string, more: Record<string, unknown> = {}) => {
  return { kind: 'TerminalAction', command, is_input: false, reset: false, ...more }
}
const edit = (command: string, path: string, more: Record<string, unknown> = {}) => {
  return { kind: 'FileEditorAction', command, path, ...more }
}
const plan = (task_list: unknown[]) => ({ kind: 'TaskTrackerAction', command: 'plan', task_list })

/** Arguments that are not quite what the parameters are. */
export const VALUES: UnderstoodCase[] = [
  { name: 'a call as it should be', call: ['terminal', { command: 'ls' }], action: run('ls') },
  {
    name: 'summary and risk apart from the action',
    call: ['terminal', { summary: 'List files', command: 'ls', security_risk: 'LOW' }],
    action: run('ls'),
    also: { summary: 'List files', securityRisk: 'LOW' },
  },
  {
    name: 'a risk in small letters',
    call: ['terminal', { command: 'ls', security_risk: 'high' }],
    action: run('ls'),
    also: { securityRisk: 'HIGH' },
  },
  {
    name: 'a risk under a misspelt name',
    call: ['terminal', { command: 'ls', securityRisk: 'MEDIUM' }],
    action: run('ls'),
    also: { securityRisk: 'MEDIUM' },
  },
  {
    name: 'a risk that cannot be read',
    call: ['terminal', { command: 'ls', security_rist: 'x', security_risk: 'none at all' }],
    action: run('ls'),
    also: { securityRisk: 'UNKNOWN' },
  },
  {
    name: 'raw line feeds and tabs inside a string',
    call: ['terminal', '{"command": "echo a\n\techo b"}'],
    action: run('echo a\n\techo b'),
  },
  {
    name: 'a raw control character inside a string',
    call: ['terminal', '{"command": "a\u0001b"}'],
    action: run('a\u0001b'),
  },
  {
    name: 'garbage after the end',
    call: ['terminal', '{"command": "echo }{"}</parameter></function>'],
    action: run('echo }{'),
  },
  { name: 'a second object after the end', call: ['terminal', '{"command": "a"}{"command": "b"}'], action: run('a') },
  {
    name: 'raw line feeds and garbage together',
    call: ['terminal', '{"command": "a\nb \\"q\\""} and so on'],
    action: run('a\nb "q"'),
  },
  { name: 'JSON in a code fence', call: ['terminal', '```json\n{"command": "a"}\n```'], action: run('a') },
  {
    name: 'arguments encoded twice',
    call: ['terminal', JSON.stringify(JSON.stringify({ command: 'a' }))],
    action: run('a'),
  },
  { name: 'arguments in a list of one', call: ['terminal', '[{"command": "a"}]'], action: run('a') },
  {
    name: 'a string for a boolean',
    call: ['terminal', { command: 'y', is_input: 'True' }],
    action: run('y', { is_input: true }),
  },
  {
    name: 'a string for a number',
    call: ['terminal', { command: 'y', timeout: '60' }],
    action: run('y', { timeout: 60 }),
  },
  {
    name: 'null for what may be absent',
    call: ['terminal', { command: 'y', timeout: null, is_input: null }],
    action: run('y'),
  },
  { name: 'a text in pieces', call: ['terminal', { command: ['echo ', 'a'] }], action: run('echo a') },
  { name: 'a number for a text', call: ['terminal', { command: 42 }], action: run('42') },
  {
    name: 'a parameter that does not exist',
    call: ['terminal', { command: 'ls', background: true }],
    action: run('ls'),
  },
  { name: 'a parameter under a usual other name', call: ['terminal', { cmd: 'ls' }], action: run('ls') },
  {
    name: 'a list encoded as text',
    call: ['file_editor', { command: 'view', path: '/a', view_range: '[1, 20]' }],
    action: edit('view', '/a', { view_range: [1, 20] }),
  },
  {
    name: 'a list of numbers as texts',
    call: ['file_editor', { command: 'view', path: '/a', view_range: ['1', '-1'] }],
    action: edit('view', '/a', { view_range: [1, -1] }),
  },
  {
    name: 'a list written with a comma',
    call: ['file_editor', { command: 'view', path: '/a', view_range: '1, 20' }],
    action: edit('view', '/a', { view_range: [1, 20] }),
  },
  { name: 'an option in capitals', call: ['file_editor', { command: 'VIEW', path: '/a' }], action: edit('view', '/a') },
  {
    name: 'text that looks like JSON and is the content of a file',
    call: ['file_editor', { command: 'create', path: '/a.json', file_text: '{"a": [1]}' }],
    action: edit('create', '/a.json', { file_text: '{"a": [1]}' }),
  },
  {
    name: 'an empty text for the content of a file',
    call: ['file_editor', { command: 'create', path: '/a', file_text: '' }],
    action: edit('create', '/a', { file_text: '' }),
  },
  {
    name: 'other names for path and texts',
    call: ['file_editor', { command: 'str_replace', file_path: '/a', old_string: 'x', new_string: 'y' }],
    action: edit('str_replace', '/a', { old_str: 'x', new_str: 'y' }),
  },
  {
    name: 'escapes that JSON does not have',
    call: ['terminal', '{"command": "grep -E \'\\d+\\.\\w\' it\\\'s"}'],
    action: run("grep -E '\\d+\\.\\w' it's"),
  },
  {
    name: 'the notation of Python',
    call: ['terminal', `{'command': 'echo "it\\'s" \\x41', 'is_input': False, 'timeout': None}`],
    action: run('echo "it\'s" A'),
  },
  { name: 'a comma before the end', call: ['terminal', '{"command": "echo [1,]",}'], action: run('echo [1,]') },
  {
    name: 'a number with its unit',
    call: ['terminal', { command: 'y', timeout: '60 seconds' }],
    action: run('y', { timeout: 60 }),
  },
  {
    name: 'a range written with a dash',
    call: ['file_editor', { command: 'view', path: '/a', view_range: '5-20' }],
    action: edit('view', '/a', { view_range: [5, 20] }),
  },
  {
    name: 'a range as two parameters',
    call: ['file_editor', { command: 'view', path: '/a', start_line: 5, end_line: 20 }],
    action: edit('view', '/a', { view_range: [5, 20] }),
  },
  {
    name: 'a range as a beginning and a length',
    call: ['Read', { file_path: '/a', offset: 11, limit: 10 }],
    action: edit('view', '/a', { view_range: [11, 20] }),
  },
  {
    name: 'another word for an option',
    call: ['file_editor', { command: 'replace', path: '/a', old_str: 'x', new_str: 'y' }],
    action: edit('str_replace', '/a', { old_str: 'x', new_str: 'y' }),
  },
  {
    name: 'a list of words for a shell',
    call: ['terminal', { command: ['bash', '-lc', 'cd /a && ls'] }],
    action: run('cd /a && ls'),
  },
  {
    name: 'a list of words for a program',
    call: ['terminal', { command: ['git', 'commit', '-m', "it's done"] }],
    action: run(`git commit -m 'it'\\''s done'`),
  },
  {
    name: 'a text in pieces that are cut anywhere',
    call: ['terminal', { command: ['npm run bu', 'ild -- --wat', 'ch'] }],
    action: run('npm run build -- --watch'),
  },
  {
    name: 'a list of tasks as text',
    call: ['task_tracker', { command: 'plan', task_list: '[{"title": "a", "status": "done"}]' }],
    action: plan([{ title: 'a', notes: '', status: 'done' }]),
  },
  {
    name: 'tasks as texts of their own',
    call: ['task_tracker', { task_list: ['{"title": "a", "status": "In Progress"}', 'b'] }],
    action: plan([
      { title: 'a', notes: '', status: 'in_progress' },
      { title: 'b', notes: '', status: 'todo' },
    ]),
  },
  {
    name: 'tasks in the words of other agents',
    call: [
      'TodoWrite',
      {
        todos: [
          { content: 'a', status: 'pending', activeForm: 'Doing a', id: '1' },
          { step: 'b', status: 'completed' },
        ],
      },
    ],
    action: plan([
      { title: 'a', notes: '', status: 'todo' },
      { title: 'b', notes: '', status: 'done' },
    ]),
  },
]

export const REFUSED: RefusedCase[] = [
  {
    name: 'a tool that does not exist',
    call: ['browser', {}],
    says: /^Tool 'browser' not found\. Available: \['terminal', 'file_editor', .*'think', 'finish'\]$/,
  },
  { name: 'a very long name', call: ['x'.repeat(5000), {}], says: /^Tool 'x{100}' not found/ },
  {
    name: 'a missing parameter',
    call: ['terminal', { timeout: 1 }],
    says: /^Error validating tool 'terminal': command: .*Parameters provided: \['timeout'\]$/,
  },
  {
    name: 'a value of the wrong kind',
    call: ['terminal', { command: { a: 'secret-value' } }],
    says: /^Error validating tool 'terminal': command: /,
  },
  {
    name: 'an option that does not exist',
    call: ['file_editor', { command: 'secret-value', path: '/a' }],
    says: /command: .*Parameters provided: \['command', 'path'\]$/,
  },
  { name: 'a negative time-out', call: ['terminal', { command: 'ls', timeout: -1 }], says: /timeout: / },
  {
    name: 'arguments that are cut off',
    call: ['terminal', '{"command": "secret-value'],
    says: /not a JSON object.*Parameters provided: \[\]$/,
  },
  { name: 'arguments that are a list', call: ['terminal', '["secret-value", "b"]'], says: /not a JSON object/ },
  {
    name: 'a wrong range',
    call: ['file_editor', { command: 'view', path: '/a', view_range: [1] }],
    says: /view_range: /,
  },
  {
    name: 'a command line that is cut off in JSON',
    call: ['bash', '{"command": "secret-value'],
    says: /not a JSON object/,
  },
  {
    name: 'tasks without a title',
    call: ['task_tracker', { task_list: [{ status: 'done' }] }],
    says: /task_list\.0\.title: /,
  },
  {
    name: 'a status that does not exist',
    call: ['task_tracker', { task_list: [{ title: 'a', status: 'secret-value' }] }],
    says: /task_list\.0\.status: /,
  },
  { name: 'a search for nothing', call: ['grep', { pattern: '' }], says: /pattern: / },
  { name: 'a patch that is an object', call: ['apply_patch', { patch: { a: 'secret-value' } }], says: /patch: / },
]
