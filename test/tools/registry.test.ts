import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTools, parseCall } from '../../server/tools/registry.ts'
import type { ToolHost } from '../../server/tools/tool.ts'
import { NAMES } from './call-name-cases.ts'
import { REFUSED, VALUES } from './call-value-cases.ts'

const host: ToolHost = {
  sandbox: () => Promise.reject(new Error('Understanding a call needs no sandbox.')),
  mask: value => value,
}
const tools = createTools(host)

describe('a call is understood', () => {
  test.each([...VALUES, ...NAMES])('$name', ({ call: [name, parameters], action, also = {} }) => {
    const understood = parseCall(tools, { name, arguments: written(parameters) })
    expect(understood).toMatchObject({ kind: 'action', ...also })
    expect(understood.kind === 'action' && understood.action).toEqual(action)
  })

  test.each(REFUSED)('or refused: $name', ({ call: [name, parameters], says }) => {
    const understood = parseCall(tools, { name, arguments: written(parameters) })
    if (understood.kind !== 'invalid') throw new Error('It was understood.')
    expect(understood.error).toMatch(says)
    expect(understood.error).not.toContain('secret-value')
  })

  test('an alias never takes a tool over that exists', () => {
    const [terminal] = tools
    const think = tools.find(tool => tool.name === 'think')
    if (!terminal || !think) throw new Error('There are no tools.')
    const understood = parseCall([terminal, { ...think, name: 'bash' }], {
      name: 'bash',
      arguments: '{"thought":"x"}',
    })
    expect(understood).toMatchObject({ kind: 'action', action: { kind: 'ThinkAction' } })
  })
})

describe('the tools', () => {
  test('come in their order', () => {
    const names = ['terminal', 'file_editor', 'apply_patch', 'grep', 'glob', 'task_tracker', 'think', 'finish']
    expect(tools.map(tool => tool.name)).toEqual(names)
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
