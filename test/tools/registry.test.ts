import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTools, understandCall } from '../../server/tools/registry.ts'
import type { ToolHost } from '../../server/tools/tool.ts'

const host: ToolHost = {
  sandbox: () => Promise.reject(new Error('Understanding a call needs no sandbox.')),
  mask: value => value,
}
const tools = createTools(host)

interface Understood {
  name: string
  call: [tool: string, parameters: string | Record<string, unknown>]
  action: Record<string, unknown>
  also?: Record<string, unknown>
}

const run = (command: string, more: Record<string, unknown> = {}) => {
  return { kind: 'TerminalAction', command, is_input: false, reset: false, ...more }
}
const edit = (command: string, path: string, more: Record<string, unknown> = {}) => {
  return { kind: 'FileEditorAction', command, path, ...more }
}

const UNDERSTOOD: Understood[] = [
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
  { name: 'bash', call: ['bash', { command: 'ls' }], action: run('ls') },
  { name: 'execute_bash', call: ['execute_bash', { command: 'ls' }], action: run('ls') },
  { name: 'reset', call: ['reset', {}], action: run('', { reset: true }) },
  { name: 'git with its arguments', call: ['git', { command: 'status' }], action: run('git status') },
  { name: 'git with the whole line', call: ['git', { command: 'git status' }], action: run('git status') },
  {
    name: 'grep as a tool',
    call: ['grep', { pattern: "it's", path: '/src' }],
    action: run(`grep -rn -e 'it'\\''s' '/src'`),
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
]

interface Refused {
  name: string
  call: [tool: string, parameters: string | Record<string, unknown>]
  says: string | RegExp
}

const REFUSED: Refused[] = [
  {
    name: 'a tool that does not exist',
    call: ['browser', {}],
    says: "Tool 'browser' not found. Available: ['terminal', 'file_editor', 'think', 'finish']",
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
]

describe('a call is understood', () => {
  test.each(UNDERSTOOD)('$name', ({ call: [name, parameters], action, also = {} }) => {
    const understood = understandCall(tools, { name, arguments: written(parameters) })
    expect(understood).toMatchObject({ kind: 'action', ...also })
    expect(understood.kind === 'action' && understood.action).toEqual(action)
  })

  test.each(REFUSED)('or refused: $name', ({ call: [name, parameters], says }) => {
    const understood = understandCall(tools, { name, arguments: written(parameters) })
    if (understood.kind !== 'invalid') throw new Error('It was understood.')
    expect(understood.error).toMatch(says)
    expect(understood.error).not.toContain('secret-value')
  })

  test('an alias never takes a tool over that exists', () => {
    const bash = { ...createTools(host)[2], name: 'bash' }
    const [terminal, , think] = createTools(host)
    if (!terminal || !think) throw new Error('There are no tools.')
    const understood = understandCall([terminal, { ...think, ...bash }], { name: 'bash', arguments: '{"thought":"x"}' })
    expect(understood).toMatchObject({ kind: 'action', action: { kind: 'ThinkAction' } })
  })
})

describe('the tools', () => {
  test('come in their order', () => {
    expect(tools.map(tool => tool.name)).toEqual(['terminal', 'file_editor', 'think', 'finish'])
  })

  test('are described to the model with every parameter, the summary first', () => {
    for (const tool of tools) {
      const schema = z.toJSONSchema(tool.parameters, { io: 'input' })
      const names = Object.keys(schema.properties ?? {})
      expect(names[0]).toBe('summary')
      expect(names.includes('security_risk')).toBe(!tool.readOnly)
      for (const property of Object.values(schema.properties ?? {})) expect(property).toHaveProperty('description')
      expect(tool.description.length).toBeGreaterThan(80)
    }
  })
})

function written(parameters: string | Record<string, unknown>): string {
  return typeof parameters === 'string' ? parameters : JSON.stringify(parameters)
}
