import { useQuery } from '@tanstack/react-query'
import type { ExecutionStatus } from '../../../server/api/event/events.ts'
import { conversationQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { statusOf } from '../../state/conversation/conversation.ts'
import type { ConversationFeed } from '../../state/conversation/feed.ts'
import { useFeed } from './use-conversation-feed.ts'

/** What the agent does: as the log says, and until that is known as the service's last answer does. */
export function useStatus(id: string, feed: ConversationFeed): ExecutionStatus {
  const logged = useFeed(feed, ({ conversation }) => statusOf(conversation))
  const { data: answered } = useQuery({
    ...conversationQuery(useClient(), id),
    // What nobody reads renders nothing when it changes.
    select: conversation => (logged === null ? (conversation?.execution_status ?? null) : null),
  })
  return logged ?? answered ?? 'idle'
}
