import { describe, expect, it } from 'vitest'
import { matchesTool } from '../../server/knowledge/hook-matcher.ts'
import { readHooks } from '../../server/knowledge/hooks-config.ts'

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

  it('cannot be made to take for ever', () => {
    const began = performance.now()
    expect(matchesTool('(a+)+$', `${'a'.repeat(60)}!`)).toBe(false)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
