import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { conversationQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { titleOf } from '../../../../state/conversation/list.ts'
import { conversationState } from '../../../../state/words.ts'
import { Button } from '../../../../ui/Button.tsx'
import { StateDot } from '../../../../ui/StateDot.tsx'
import { useOpenConversation } from '../../context.ts'
import { ConversationLink } from '../../timeline/line/ConversationLink.tsx'
import { Section } from '../Section.tsx'
import { t } from '../text.ts'

/** Where the conversation comes from, and what it began itself. */
export function Relations() {
  const { id, info, ask } = useOpenConversation()
  const { parent_conversation_id: parent, forked_from_conversation_id: origin, sub_conversation_ids: subs } = info
  if (!parent && !origin && subs.length === 0) return null
  return (
    <Section title={t('related')}>
      <ul className="flex flex-col gap-1">
        {parent && <Relation word={info.agent_type === 'plan' ? t('plansFor') : t('worksFor')} id={parent} />}
        {origin && (
          <Relation word={t('forkedFrom')} id={origin}>
            <Button size="small" onClick={() => ask({ compare: [origin, id] })}>
              {t('compare')}
            </Button>
          </Relation>
        )}
        {subs.map(id => (
          <Relation key={id} word={t('began')} id={id} />
        ))}
      </ul>
    </Section>
  )
}

function Relation({ word, id, children }: { word: string; id: string; children?: ReactNode }) {
  const { data } = useQuery(conversationQuery(useClient(), id))
  return (
    <li className="flex min-h-6 items-center gap-2 [&_a]:self-center">
      <span className="w-24 shrink-0 text-faint">{word}</span>
      {data === null ? (
        <span className="text-soft">{t('conversationThatWasDeleted')}</span>
      ) : (
        <>
          {data && <StateDot state={conversationState(data)} />}
          <ConversationLink id={id}>
            <span className="line-clamp-1 break-all leading-5">{data ? titleOf(data) : '…'}</span>
          </ConversationLink>
          {children}
        </>
      )}
    </li>
  )
}
