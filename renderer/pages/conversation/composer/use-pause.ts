import { useState } from 'react'
import type { ExecutionStatus } from '../../../../server/api/event/events.ts'
import { pauseConversation } from '../../../../server/api/v1/conversation/conversations.ts'
import { useCommand } from '../../../components/use-command.ts'
import { runSeqOf } from '../../../state/conversation/conversation.ts'
import type { ConversationFeed } from '../../../state/conversation/feed.ts'
import { useFeed } from '../use-conversation-feed.ts'

export interface Pause {
  /** Asked for, and the step that goes on is not finished yet. */
  readonly pausing: boolean
  pause(): void
}

export function usePause(id: string, status: ExecutionStatus, feed: ConversationFeed): Pause {
  const run = useFeed(feed, ({ conversation }) => runSeqOf(conversation))
  const [askedFor, setAskedFor] = useState<number | null>(null)
  const command = useCommand(client => client.call(pauseConversation, { params: { conversation_id: id } }))
  function pause() {
    if (status !== 'running') return
    setAskedFor(run)
    command.mutate(undefined, { onError: () => setAskedFor(null) })
  }
  return { pause, pausing: status === 'running' && askedFor === run }
}
