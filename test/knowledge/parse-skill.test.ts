import { describe, expect, it } from 'vitest'
import type { SkillFile } from '../../server/domain/skill.ts'
import { toSkills } from '../../server/knowledge/load-skills.ts'
import { parseSkill } from '../../server/knowledge/parse-skill.ts'
import { SKILL_CASES } from './skill-cases.ts'

const file = (path: string, text: string, source: SkillFile['source'] = 'repository'): SkillFile => ({
  source,
  root: '/w',
  path,
  text,
})

describe('a file for agents', () => {
  it.each(SKILL_CASES)('$it', ({ path, text, skill, problems = [] }) => {
    const parsed = parseSkill(file(path, text))
    if (skill === null) expect(parsed.skill).toBeNull()
    else expect(parsed.skill).toMatchObject(skill)
    expect(parsed.problems).toHaveLength(problems.length)
    for (const [index, problem] of problems.entries()) expect(parsed.problems[index]).toContain(problem)
  })
})

describe('several of them', () => {
  const text = (name: string) => `---\nname: ${name}\ntriggers: [x]\n---\n`

  it('share no name: the first one wins, and people are told', () => {
    const { skills, problems } = toSkills(
      [file('.agents/skills/a.md', text('Same')), file('.openhands/microagents/b.md', text('same'), 'user')],
      null,
    )
    expect(skills.map(({ path }) => path)).toEqual(['.agents/skills/a.md'])
    expect(problems).toEqual([
      '~/.openhands/microagents/b.md is hidden by .agents/skills/a.md, which has the same name.',
    ])
  })

  it('are for the models that they are written for', () => {
    const files = [file('AGENTS.md', 'a'), file('CLAUDE.md', 'c'), file('Gemini.md', 'g'), file('x/CLAUDE.md', 'xc')]
    const names = (model: string | null) => toSkills(files, model).skills.map(({ name }) => name)
    expect(names('anthropic/claude-sonnet-4')).toEqual(['AGENTS', 'CLAUDE', 'x/CLAUDE'])
    expect(names('gemini/gemini-2.5-pro')).toEqual(['AGENTS', 'Gemini'])
    expect(names('openai/gpt-5')).toEqual(['AGENTS'])
    expect(names(null)).toEqual(['AGENTS'])
  })

  it('that say the same are said once', () => {
    const files = [file('AGENTS.md', 'Same.'), file('CLAUDE.md', 'Same.')]
    expect(toSkills(files, 'claude').skills.map(({ name }) => name)).toEqual(['AGENTS'])
  })
})
