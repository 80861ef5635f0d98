import { expect, test } from 'vitest'
import { readDocument } from '../../server/domain/front-matter.ts'
import type { Skill } from '../../server/domain/skill.ts'
import { activateSkills } from '../../server/knowledge/activate-skills.ts'
import { processorTime } from '../parts/value/growth-of-time.ts'

test('a repository with thousands of words that activate skills holds up no message', () => {
  const skills = Array.from({ length: 200 }, (_, at): Skill => {
    const words = Array.from({ length: 50 }, (_, word) => `word${at} and${word} x`)
    const nothing = { description: '', folder: null, userOnly: false, inputs: [], tools: [], servers: {} }
    return {
      ...nothing,
      name: `s${at}`,
      content: 'x',
      source: 'repository',
      path: 'p',
      activation: { kind: 'words', words },
    }
  })
  const took = processorTime(() => {
    const text = 'word1 and '.repeat(10_000)
    expect(activateSkills(skills, { text, already: new Set() }).names).toEqual([])
  })
  expect(took).toBeLessThan(3_000)
})

test.each(['['.repeat(100_000), '- '.repeat(100_000), '{a: '.repeat(60_000), '#\n'.repeat(100_000)])(
  'a huge front matter is a problem in words, and not read',
  yaml => {
    const took = processorTime(() => {
      const { fields, problem } = readDocument(`---\na: ${yaml}\n---\nbody\n`)
      expect(fields).toBeNull()
      expect(problem).toContain('more than 16384 characters')
    })
    expect(took).toBeLessThan(1_000)
  },
)
