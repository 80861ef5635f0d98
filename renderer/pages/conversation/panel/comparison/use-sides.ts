import { useQuery } from '@tanstack/react-query'
import type { Attempt } from '../../../../../server/api/v1/conversation/attempts.ts'
import { conversationQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { titleOf } from '../../../../state/conversation/list.ts'
import { formatMoment } from '../../../../state/format.ts'
import { useOpenConversation } from '../../context.ts'
import { attemptsQuery } from '../attempts/use-attempts.ts'
import { t } from './text.ts'

export interface Side {
  value: string
  label: string
  hint?: string
}

/** What the files of the open conversation can be compared with, itself first: its original and all attempts of either. */
export function useSides(): Side[] {
  const { id, info } = useOpenConversation()
  const client = useClient()
  const origin = info.forked_from_conversation_id
  const { data: original } = useQuery({ ...conversationQuery(client, origin ?? ''), enabled: origin !== null })
  const { data: own = [] } = useQuery(attemptsQuery(client, id))
  const { data: others = [] } = useQuery({ ...attemptsQuery(client, origin ?? ''), enabled: origin !== null })
  const sets = [...own, ...others]
  return [
    { value: id, label: t('thisConversation', { title: titleOf(info) }) },
    ...(original ? [{ value: original.id, label: t('original', { title: titleOf(original) }) }] : []),
    ...sets.flatMap(set =>
      set.attempts
        .filter(attempt => isComparable(attempt) && attempt.conversation_id !== id)
        .map(attempt => ({
          value: attempt.conversation_id,
          label: attemptLabel(attempt, sets.length > 1 ? set.created_at : null),
          hint: set.task,
        })),
    ),
  ]
}

/** @param begunAt of its set, where there are several, each of which has a first attempt */
export function attemptLabel(
  { number, profile, llm_model }: Pick<Attempt, 'number' | 'profile' | 'llm_model'>,
  begunAt: string | null,
): string {
  const model = [profile, llm_model].filter(name => name !== null).join(' · ')
  const label = model === '' ? t('attempt', { number }) : t('attemptAndModel', { number, model })
  return begunAt === null ? label : `${label} · ${formatMoment(Date.parse(begunAt))}`
}

/** Whether there are files of it. */
export function isComparable({ state }: Pick<Attempt, 'state'>): boolean {
  return state !== 'starting' && state !== 'failed'
}
