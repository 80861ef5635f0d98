import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTolerantly } from '../../server/tools/call/json.ts'
import { createTools, parseCall } from '../../server/tools/registry.ts'
import type { ToolHost } from '../../server/tools/tool.ts'
import { growthOfTime } from '../parts/value/growth-of-time.ts'

const host: ToolHost = {
  sandbox: () => Promise.reject(new Error('Understanding a call needs no sandbox.')),
  mask: value => value,
}
const tools = createTools(host)
const N = 300_000

function errorOf(name: string, text: string): string {
  const understood = parseCall(tools, { name, arguments: text })
  return understood.kind === 'invalid' ? understood.error : ''
}

describe('arguments of a hostile model', () => {
  test.each([
    ['lists in lists', '['.repeat(N) + ']'.repeat(N)],
    ['lists that stay open', '['.repeat(N)],
    ['objects in objects', `${'{"a":'.repeat(N)}1${'}'.repeat(N)}`],
    ['a deep value of a parameter', `{"command": ${'['.repeat(N)}${']'.repeat(N)}}`],
    ['Python with deep lists', `{'command': ${'['.repeat(N)}${']'.repeat(N)}}`],
  ])('that nest %s are refused in words', (_, text) => {
    expect(errorOf('terminal', text)).toMatch(/nested deeper than 100 levels/)
  })

  test('that were encoded twice are not read either where they nest too deep', () => {
    expect(errorOf('terminal', JSON.stringify('['.repeat(N) + ']'.repeat(N)))).toContain('not a JSON object')
  })

  test.each([
    ['words of Python', 'True,'],
    ['open strings', `'`],
    ['escapes', '"\\'],
    ['commas', ','],
    ['code fences', '```'],
    ['spaces in a code fence', ' '],
  ])('made of %s are read in time that grows with them', (_, piece) => {
    const work = (size: number) => () => parseTolerantly(`\`\`\`json {"a": ${piece.repeat(size / piece.length)}x`)
    expect(growthOfTime(work, 200_000)).toBeLessThan(1.75)
  })

  test('with a number followed by many spaces are read in time that grows with them', () => {
    const text = (size: number) => JSON.stringify({ command: 'x', timeout: `1${' '.repeat(size)}x` })
    const work = (size: number) => () => parseCall(tools, { name: 'terminal', arguments: text(size) })
    expect(growthOfTime(work, 200_000)).toBeLessThan(1.75)
  })

  test('with very many mistakes and names get a short error', () => {
    const tasks = JSON.stringify({ command: 'plan', task_list: Array(20_000).fill({ title: 1, status: 'x' }) })
    expect(errorOf('task_tracker', tasks).length).toBeLessThan(50_000)
    const names = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`name${at}`, at])))
    expect(errorOf('terminal', names).length).toBeLessThan(50_000)
  })

  test('never make reading them fail', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '"', "'", ',', ':', '\\', 'True', '```', 'json', '1', ' ', '\n')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 300 }), parts => {
        const text = parts.join('')
        for (const name of ['terminal', 'file_editor', 'task_tracker', 'apply_patch']) {
          expect(['action', 'invalid']).toContain(parseCall(tools, { name, arguments: text }).kind)
        }
      }),
      { numRuns: 500 },
    )
  })
})
