import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SkillInfo } from '../../../../../server/api/v1/conversation/skills.ts'
import { hooksQuery, skillsQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { useOpenConversation } from '../../context.ts'
import { hookMoment } from '../../hook-words.ts'
import { TextBlock } from '../../timeline/message/TextBlock.tsx'
import { Section } from '../Section.tsx'
import { t } from '../text.ts'

/** What the repository and the person's own folder tell the agent: skills, and hooks that run along. */
export function Instructions() {
  const { id } = useOpenConversation()
  const client = useClient()
  const { data: skills } = useQuery(skillsQuery(client, id))
  const { data: hooks } = useQuery(hooksQuery(client, id))
  const problems = [...(skills?.problems ?? []), ...(hooks?.problems ?? [])]
  return (
    <>
      {skills && skills.skills.length > 0 && (
        <Section title={t('skills')}>
          <ul className="rounded-md border border-line">
            {skills.skills.map(skill => (
              <Skill key={`${skill.source} ${skill.name}`} skill={skill} />
            ))}
          </ul>
        </Section>
      )}
      {hooks && hooks.hooks.length > 0 && (
        <Section title={t('hooks')}>
          <ul className="rounded-md border border-line">
            {hooks.hooks.flatMap(({ event_type, matchers }) =>
              matchers.flatMap(({ matcher, hooks: commands }) =>
                commands.map(({ command }) => (
                  <li
                    key={`${event_type} ${matcher} ${command}`}
                    className="border-line border-b px-2 py-1 last:border-b-0"
                  >
                    <code className="block break-all text-sm">{command}</code>
                    <span className="text-faint text-sm">{hookMoment(event_type, matcher)}</span>
                  </li>
                )),
              ),
            )}
          </ul>
        </Section>
      )}
      {problems.length > 0 && (
        <Section title={t('notUnderstood')}>
          <ul className="list-disc ps-5 text-bad text-sm">
            {problems.map(problem => (
              <li key={problem} className="[overflow-wrap:anywhere]">
                {problem}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

const TYPES = {
  repo: t('always'),
  knowledge: t('byItsTriggers'),
  agentskills: t('whenItWants'),
} as const satisfies Record<SkillInfo['type'], string>

function Skill({ skill }: { skill: SkillInfo }) {
  const [open, setOpen] = useState(false)
  const { name, type, description, triggers, path, content } = skill
  return (
    <li className="border-line border-b last:border-b-0">
      <button
        type="button"
        aria-expanded={open}
        title={description ?? path}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 w-full items-center gap-2 px-2 text-start hover:bg-hover"
      >
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <Badge>{TYPES[type]}</Badge>
      </button>
      {open && (
        <div className="flex flex-col gap-1 px-2 pb-2 text-sm">
          {description && <p className="text-soft">{description}</p>}
          {triggers.length > 0 && <p className="text-soft">{t('triggers', { triggers: triggers.join(', ') })}</p>}
          <p className="break-all font-mono text-faint">{path}</p>
          <TextBlock text={content} label={t('skill')} />
        </div>
      )}
    </li>
  )
}
