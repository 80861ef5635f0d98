import { describe, expect, it } from 'vitest'
import type { SkillFile } from '../../server/domain/skill.ts'
import { withBuiltIn } from '../../server/domain/sub-agent.ts'
import { toSubAgents } from '../../server/knowledge/load-skills.ts'
import { createTools } from '../../server/tools/registry.ts'
import { createTask } from '../../server/tools/task.ts'
import { createThink } from '../../server/tools/think.ts'
import type { Tool, ToolHost } from '../../server/tools/tool.ts'
import { selectTools } from '../../server/tools/tool-aliases.ts'
import { SUB_AGENT_CASES } from './sub-agent-cases.ts'

const file = (text: string, path = '.agents/agents/reviewer.md', source: SkillFile['source'] = 'repository') => ({
  source,
  root: '/w',
  path,
  text,
})
const described = (words: string, name = 'reviewer') => `---\nname: ${name}\ndescription: ${words}\n---\n`

describe('a file that describes a sub-agent, with', () => {
  it.each(SUB_AGENT_CASES)('$what', ({ text, expected, problems = [] }) => {
    const found = toSubAgents([file(text)])
    if (typeof expected === 'string') {
      expect(found.subAgents).toEqual([])
      expect(found.problems).toEqual([expect.stringContaining(expected)])
      return
    }
    expect(found.subAgents).toMatchObject([expected])
    expect(found.problems).toEqual(problems.map(problem => expect.stringContaining(problem)))
  })
})

describe('sub-agents', () => {
  it('are the first of each name, and the others are told', () => {
    const mine = file(described('mine'), '.agents/agents/reviewer.md', 'user')
    const { subAgents, problems } = toSubAgents([file(described('theirs')), mine])
    expect(subAgents.map(({ description }) => description)).toEqual(['theirs'])
    expect(problems).toEqual([
      '~/.agents/agents/reviewer.md is hidden by .agents/agents/reviewer.md, which has the same name.',
    ])
  })

  it('can describe built-in ones anew', () => {
    const { subAgents } = toSubAgents([file(described('ours', 'code-explorer'))])
    const all = withBuiltIn(subAgents)
    expect(all.map(({ name, source }) => [name, source])).toEqual([
      ['general-purpose', 'built-in'],
      ['code-explorer', 'repository'],
      ['bash-runner', 'built-in'],
      ['web-researcher', 'built-in'],
    ])
  })

  it('are at most thirty', () => {
    const files = Array.from({ length: 40 }, (_, index) => file(described('x', `a${index}`)))
    expect(toSubAgents(files).subAgents).toHaveLength(30)
  })
})

describe('the tools of a sub-agent', () => {
  const host: ToolHost = { sandbox: () => Promise.reject(new Error('not needed')), mask: text => text }
  const tools = createTools(host)
  const names = (...wanted: string[]) => selectTools(tools, wanted).map(({ name }) => name)

  it.each([
    [[], ['think', 'finish']],
    [
      ['grep', 'glob'],
      ['grep', 'glob', 'think', 'finish'],
    ],
    [['bash'], ['terminal', 'think', 'finish']],
    [
      ['terminaltool', 'edit'],
      ['terminal', 'file_editor', 'apply_patch', 'think', 'finish'],
    ],
    [['mcp__github__terminal'], ['terminal', 'think', 'finish']],
    [['webfetch'], ['think', 'finish']],
  ])('named %j are %j', (wanted, expected) => {
    expect(names(...wanted)).toEqual(expected)
  })

  it.each([
    ['default', 'general-purpose'],
    [' Reviewer ', 'reviewer'],
    [undefined, 'general-purpose'],
  ])('are those of the kind that is meant: %s is %s', (subagent_type, meant) => {
    const task = createTask({ kinds: () => [], run: () => Promise.reject(new Error('not run')) })
    expect(task.toAction({ prompt: 'x', subagent_type })).toMatchObject({ subagent_type: meant })
  })

  it('may be all of a browser', () => {
    const browser = ['browser_click', 'browser_navigate'].map(name => ({ ...(createThink() as Tool), name }))
    const found = selectTools([...browser, ...tools], ['browser']).map(({ name }) => name)
    expect(found).toEqual(['browser_click', 'browser_navigate', 'think', 'finish'])
  })

  it('that may read view files, and cannot be talked into more', () => {
    const [viewer] = selectTools(tools, ['read']).filter(({ name }) => name === 'file_editor')
    expect(viewer?.readOnly).toBe(true)
    const given = { command: 'create', path: '/w/x', file_text: 'x' }
    expect(viewer?.toAction(given)).toMatchObject({ command: 'view', path: '/w/x' })
    expect(viewer?.parameters.safeParse(given).data).toEqual({ path: '/w/x' })
    expect(selectTools(tools, ['read', 'write']).filter(({ name }) => name === 'file_editor')).toHaveLength(1)
  })
})
