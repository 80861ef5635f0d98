import type { SkillInfo } from '../api/v1/conversation/skills.ts'
import { type HookEventType, type HooksConfig, snakeCase } from '../domain/hooks-config.ts'
import type { Skill } from '../domain/skill.ts'
import { labelOf } from './hook-question.ts'

/** As clients see it. */
export function toSkillInfo(skill: Skill): SkillInfo {
  const { name, content, description, source, path } = skill
  return {
    name,
    type: typeOf(skill),
    content,
    triggers: triggersOf(skill),
    description: description || null,
    source,
    path,
  }
}

function typeOf({ folder, activation }: Skill): SkillInfo['type'] {
  if (folder !== null) return 'agentskills'
  return activation.kind === 'always' ? 'repo' : 'knowledge'
}

function triggersOf({ activation }: Skill): string[] {
  if (activation.kind === 'words') return activation.words
  return activation.kind === 'paths' ? activation.patterns : []
}

/** The events that have hooks, in the order of an agent's work. */
export function hookEvents(config: HooksConfig | null) {
  return Object.entries(config ?? {}).flatMap(([type, matchers]) => {
    if (matchers.length === 0) return []
    return [
      {
        event_type: snakeCase(type as HookEventType),
        matchers: matchers.map(({ matcher, hooks }) => ({
          matcher: matcher || '*',
          hooks: hooks.map(hook => ({
            type: hook.type,
            command: labelOf(hook),
            timeout: hook.timeout,
            async: hook.async,
          })),
        })),
      },
    ]
  })
}
