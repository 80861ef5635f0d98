import { useQuery } from '@tanstack/react-query'
import type { Attempt } from '../../../../../server/api/v1/conversation/attempts.ts'
import { conversationQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { titleOf } from '../../../../state/conversation/list.ts'
import { useOpenConversation } from '../../context.ts'
import { attemptsQuery } from '../attempts/use-attempts.ts'
import { t } from './text.ts'

export interface Side {
  value: string
  label: string
}

/** What the files of the open conversation can be compared with, itself first: its original and all attempts of either. */
export function useSides(): Side[] {
  const { id, info } = useOpenConversation()
  const client = useClient()
  const origin = info.forked_from_conversation_id
  const { data: original } = useQuery({ ...conversationQuery(client, origin ?? ''), enabled: origin !== null })
  const { data: own = [] } = useQuery(attemptsQuery(client, id))
  const { data: others = [] } = useQuery({ ...attemptsQuery(client, origin ?? ''), enabled: origin !== null })
  const attempts = [...own, ...others].flatMap(set => set.attempts).filter(isComparable)
  return [
    { value: id, label: t('thisConversation', { title: titleOf(info) }) },
    ...(original ? [{ value: original.id, label: t('original', { title: titleOf(original) }) }] : []),
    ...attempts
      .filter(attempt => attempt.conversation_id !== id)
      .map(({ conversation_id: value, number, llm_model }) => ({
        value,
        label: llm_model === null ? t('attempt', { number }) : t('attemptAndModel', { number, model: llm_model }),
      })),
  ]
}

/** Whether there are files of it. */
export function isComparable({ state }: Pick<Attempt, 'state'>): boolean {
  return state !== 'starting' && state !== 'failed'
}
