import { describe, expect, it } from 'vitest'
import { matcherProblem, matchesTool } from '../../server/domain/hook-matcher.ts'
import { readHooks } from '../../server/domain/hooks-config.ts'
import { processorTime } from '../parts/value/growth-of-time.ts'

const STOP = [{ matcher: '*', hooks: [{ type: 'command', command: 'true' }] }]

describe('a hooks file', () => {
  it.each([
    ['keys of one style', { PreToolUse: STOP }],
    ['keys of the other', { pre_tool_use: STOP }],
    ['all of it under hooks', { hooks: { pre_tool_use: STOP } }],
    ['a missing type', { PreToolUse: [{ hooks: [{ command: 'true' }] }] }],
  ])('may have %s', (_, file) => {
    const { config, problems } = readHooks(JSON.stringify(file))
    expect(problems).toEqual([])
    expect(config?.PreToolUse[0]?.hooks[0]).toMatchObject({
      type: 'command',
      command: 'true',
      timeout: 60,
      async: false,
    })
  })

  it.each([
    ['no JSON', '{', 'JSON'],
    ['a list', '[]', 'expected object'],
    ['an event that does not exist', '{"OnLunch": []}', 'OnLunch'],
    ['a key that does not exist', JSON.stringify({ Stop: [{ hooks: [{ command: 'x', shell: 'zsh' }] }] }), 'shell'],
    ['keys beside hooks', JSON.stringify({ hooks: {}, other: 1 }), 'other'],
    ['a time-out of nothing', JSON.stringify({ Stop: [{ hooks: [{ command: 'x', timeout: 0 }] }] }), 'timeout'],
  ])('with %s is told and runs nothing', (_, text, words) => {
    const { config, problems } = readHooks(text)
    expect(config).toBeNull()
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('no hook runs')
    expect(problems[0]).toContain(words)
  })

  it('that is missing or empty is nothing', () => {
    expect(readHooks(null)).toEqual({ config: null, problems: [] })
    expect(readHooks('{}')).toEqual({ config: null, problems: [] })
    expect(readHooks('{"Stop": null, "pre_tool_use": []}')).toEqual({ config: null, problems: [] })
  })

  it('says which hooks do not run', () => {
    const hooks = [{ type: 'prompt', prompt: 'Is it fine?' }, { type: 'agent', command: 'true' }, { command: ' ' }]
    const { config, problems } = readHooks(JSON.stringify({ Stop: [{ hooks }] }))
    expect(config?.Stop[0]?.hooks).toHaveLength(3)
    expect(problems).toEqual([
      expect.stringContaining('without a prompt is not run'),
      expect.stringContaining('without a command is not run'),
    ])
  })
})

describe('the matcher of a hook', () => {
  it.each([
    ['*', 'terminal', true],
    [null, 'terminal', true],
    ['', 'terminal', true],
    ['terminal', 'terminal', true],
    ['term', 'terminal', false],
    ['terminal|file_editor', 'file_editor', true],
    ['file_.*', 'file_editor', true],
    ['editor.*', 'file_editor', false],
    ['/editor/', 'file_editor', true],
    ['Terminal', 'terminal', false],
    ['(', 'terminal', false],
    ['a.b', 'a.b', true],
  ])('%s for %s: %s', (matcher, tool, expected) => {
    expect(matchesTool(matcher, tool)).toBe(expected)
  })

  it.each([
    ['\\u0074erminal', 'terminal', true],
    ['term[^]*', 'terminal', true],
    ['(?<name>terminal)', 'terminal', true],
    ['mcp__.+__\\w+|[A-Z]\\w{2,5}', 'mcp__a-b__c', true],
    ['Edit|Multi(?:Edit)?|Write', 'Multi', true],
    ['\\bedit\\b', 'file_editor', false],
    ['/^file[_-]/', 'file_editor', true],
  ])('keeps to the syntax of JavaScript: %s for %s: %s', (matcher, tool, expected) => {
    expect(matcherProblem(matcher)).toBeNull()
    expect(matchesTool(matcher, tool)).toBe(expected)
  })

  it.each([
    ['(a|b)\\1', 'back-reference'],
    ['(?<x>a)\\k<x>', 'back-reference'],
    ['(?=a)b', 'lookahead'],
    ['(?<!a)b', 'lookahead or lookbehind'],
    ['(a{15}){15}', 'more than 20 times'],
    ['(', 'not a regular expression'],
  ])('%s matches nothing, and the hooks file says why', (matcher, why) => {
    expect(matchesTool(matcher, 'ab')).toBe(false)
    const { config, problems } = readHooks(JSON.stringify({ PreToolUse: [{ ...STOP[0], matcher }, ...STOP] }))
    expect(config?.PreToolUse).toHaveLength(2)
    expect(problems).toEqual([expect.stringContaining(why)])
    expect(problems[0]).toContain(matcher)
    expect(problems[0]).toContain('not run')
  })

  it.each(['(a+)+$', '(a|a)*b', '(a*)*b', '(.*a){20}b', '(?:a?){20}a{0}b', `${'(a|'.repeat(60)}b${')*'.repeat(60)}c`])(
    '%s cannot be made to take for ever (CWE-1333)',
    matcher => {
      const took = processorTime(() => expect(matchesTool(matcher, `${'a'.repeat(5000)}!`)).toBe(false))
      expect(took).toBeLessThan(2000)
    },
  )
})
