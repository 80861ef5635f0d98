import type { UnderstoodCase } from './call-value-cases.ts'

const run = (command: string, more: Record<string, unknown> = {}) => {
  return { kind: 'TerminalAction', command, is_input: false, reset: false, ...more }
}
const edit = (command: string, path: string, more: Record<string, unknown> = {}) => {
  return { kind: 'FileEditorAction', command, path, ...more }
}
const PATCH = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch'
const patched = { kind: 'ApplyPatchAction', patch: PATCH }

/** Names of tools and parameters that are not quite ours. */
export const NAMES: UnderstoodCase[] = [
  { name: 'bash', call: ['bash', { command: 'ls' }], action: run('ls') },
  { name: 'execute_bash', call: ['execute_bash', { command: 'ls' }], action: run('ls') },
  { name: 'reset', call: ['reset', {}], action: run('', { reset: true }) },
  { name: 'git with its arguments', call: ['git', { command: 'status' }], action: run('git status') },
  { name: 'git with the whole line', call: ['git', { command: 'git status' }], action: run('git status') },
  {
    name: 'grep as the tool that it is',
    call: ['grep', { pattern: "it's", path: '/src' }],
    action: { kind: 'GrepAction', pattern: "it's", path: '/src' },
  },
  { name: 'ls without anything', call: ['ls', ''], action: run('ls') },
  {
    name: 'str_replace_editor',
    call: ['str_replace_editor', { command: 'view', path: '/a' }],
    action: edit('view', '/a'),
  },
  {
    name: 'an editor whose command follows from the texts',
    call: ['str_replace', { path: '/a', old_str: 'x', new_str: 'y' }],
    action: edit('str_replace', '/a', { old_str: 'x', new_str: 'y' }),
  },
  {
    name: 'an editor that only names a file',
    call: ['str_replace_editor', { path: '/a' }],
    action: edit('view', '/a'),
  },
  { name: 'garbage after the name', call: ['terminal</tool_call>', { command: 'ls' }], action: run('ls') },
  { name: 'garbage after an alias', call: ['bash<parameter=command', { command: 'ls' }], action: run('ls') },
  {
    name: 'a thought',
    call: ['think', { thought: 'hm', security_risk: 'LOW' }],
    action: { kind: 'ThinkAction', thought: 'hm' },
  },
  { name: 'the end', call: ['finish', { message: 'Done.' }], action: { kind: 'FinishAction', message: 'Done.' } },
  { name: 'a name in capitals', call: ['Bash', { command: 'ls' }], action: run('ls') },
  { name: 'a tool’s own name in capitals', call: ['TERMINAL', { command: 'ls' }], action: run('ls') },
  { name: 'a name with its namespace', call: ['functions.terminal', { command: 'ls' }], action: run('ls') },
  { name: 'a name with a number', call: ['terminal:0', { command: 'ls' }], action: run('ls') },
  { name: 'a command line without JSON', call: ['bash', 'ls -la | head -3'], action: run('ls -la | head -3') },
  { name: 'npm with its arguments', call: ['npm', { args: ['run', 'test'] }], action: run(`npm 'run' 'test'`) },
  { name: 'read_file', call: ['read_file', { absolute_path: '/a' }], action: edit('view', '/a') },
  {
    name: 'write_file',
    call: ['write_file', { file_path: '/a', content: 'x' }],
    action: edit('create', '/a', { file_text: 'x' }),
  },
  {
    name: 'Edit',
    call: ['Edit', { file_path: '/a', old_string: 'x', new_string: 'y' }],
    action: edit('str_replace', '/a', { old_str: 'x', new_str: 'y' }),
  },
  { name: 'undo_edit', call: ['undo_edit', { path: '/a' }], action: edit('undo_edit', '/a') },
  {
    name: 'grep, which exists',
    call: ['grep', { pattern: "it's", path: '/src' }],
    action: { kind: 'GrepAction', pattern: "it's", path: '/src' },
  },
  {
    name: 'Grep as another agent has it',
    call: ['Grep', { pattern: 'a', glob: '*.ts', output_mode: 'content' }],
    action: { kind: 'GrepAction', pattern: 'a', include: '*.ts' },
  },
  {
    name: 'Glob',
    call: ['Glob', { pattern: '**/*.ts', path: null }],
    action: { kind: 'GlobAction', pattern: '**/*.ts' },
  },
  { name: 'a patch', call: ['apply_patch', { patch: PATCH }], action: patched },
  { name: 'a patch under another name', call: ['apply_patch', { input: PATCH }], action: patched },
  { name: 'a patch without JSON', call: ['apply_patch', PATCH], action: patched },
  {
    name: 'a patch typed into the terminal',
    call: ['terminal', { command: `apply_patch <<'EOF'\n${PATCH}\nEOF` }],
    action: patched,
  },
  { name: 'a patch as a list of words', call: ['shell', { command: ['apply_patch', PATCH] }], action: patched },
  {
    name: 'a here-document that only holds a patch',
    call: ['terminal', { command: `cat <<'EOF'\n${PATCH}\nEOF` }],
    action: run(`cat <<'EOF'\n${PATCH}\nEOF`),
  },
  {
    name: 'a list of tasks to look at',
    call: ['task_tracker', {}],
    action: { kind: 'TaskTrackerAction', command: 'view', task_list: [] },
  },
  {
    name: 'the end in other words',
    call: ['attempt_completion', { result: 'Done.' }],
    action: { kind: 'FinishAction', message: 'Done.' },
  },
  {
    name: 'a thought in other words',
    call: ['think', { content: 'hm' }],
    action: { kind: 'ThinkAction', thought: 'hm' },
  },
]
