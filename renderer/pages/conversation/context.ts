import { createContext, useContext } from 'react'
import type { ExecutionStatus } from '../../../server/api/event/events.ts'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { ConversationFeed, FeedSnapshot } from '../../state/conversation/feed.ts'
import type { Pause } from './composer/use-pause.ts'

/** What every part of the page reads. `status` is live, `info` is the service's last answer. */
export interface OpenConversation extends Pause {
  readonly id: string
  readonly info: AppConversation
  readonly status: ExecutionStatus
  readonly feed: ConversationFeed
  readonly snapshot: FeedSnapshot
  /** How many messages were sent from here. */
  readonly sent: number
  readonly countSent: () => void
  /** Asks what applying its changes to its folder is to do. */
  readonly askApply: () => void
  /** Opens its changes in the whole window. */
  readonly askReview: () => void
}

export const ConversationContext = createContext<OpenConversation | null>(null)

export function useOpenConversation(): OpenConversation {
  const open = useContext(ConversationContext)
  if (!open) throw new Error('useOpenConversation is used outside of a conversation.')
  return open
}
