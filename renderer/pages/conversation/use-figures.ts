import { useQuery } from '@tanstack/react-query'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { conversationQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { type PassingFigure, useOpenConversation } from './context.ts'

/** What the service said last of the figures that each step changes; the log knows them sooner, once it has any. */
export function useFigures(): Pick<AppConversation, PassingFigure> | null | undefined {
  const { id } = useOpenConversation()
  return useQuery({ ...conversationQuery(useClient(), id), select: figuresOf }).data
}

function figuresOf(conversation: AppConversation | null): Pick<AppConversation, PassingFigure> | null {
  if (conversation === null) return null
  const { steps, metrics, cost_unknown } = conversation
  return { steps, metrics, cost_unknown }
}
