import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { openEventSocket } from '../../../server/client/event-socket.ts'
import { keys } from '../../api/query-keys.ts'
import { type Session, useSession } from '../../api/session.ts'
import type { Conversation } from '../../state/conversation/conversation.ts'
import { ConversationFeed, type FeedOptions, type FeedSnapshot } from '../../state/conversation/feed.ts'

/** A longer log is read again instead of kept, so that many visited conversations do not fill the memory. */
const MAX_KEPT_EVENTS = 2_000
const HIDDEN_WINDOW_MS = 200

/** The feed of one conversation for as long as the component lives; what it had stays in the query cache. */
export function useConversationFeed(conversationId: string): ConversationFeed {
  const session = useSession()
  const queries = useQueryClient()
  const [feed] = useState(() => createFeed(session, queries, conversationId))
  return feed
}

/** @param select gives the same for the same snapshot: something that stands in it, or no object */
export function useFeed<Part>(feed: ConversationFeed, select: (snapshot: FeedSnapshot) => Part): Part {
  return useSyncExternalStore(feed.subscribe, () => select(feed.snapshot()))
}

function createFeed({ client, url, key }: Session, queries: QueryClient, conversationId: string): ConversationFeed {
  const cacheKey = keys.conversationLog(conversationId)
  return new ConversationFeed({
    conversationId,
    client,
    openSocket: options =>
      openEventSocket({ ...options, url, key, conversationId, connect: address => new WebSocket(address) }),
    schedule: scheduler(),
    initial: queries.getQueryData<Conversation>(cacheKey),
    onClosed: last => queries.setQueryData(cacheKey, last.events.length > MAX_KEPT_EVENTS ? undefined : last),
  })
}

/** A hidden window is not in a hurry. */
function scheduler(): FeedOptions['schedule'] {
  let last = 0
  return (flush, pauseMs) => {
    const run = () => {
      last = performance.now()
      flush()
    }
    const isHidden = document.visibilityState === 'hidden'
    const timer = setTimeout(run, isHidden ? HIDDEN_WINDOW_MS : last + pauseMs - performance.now())
    return () => clearTimeout(timer)
  }
}
