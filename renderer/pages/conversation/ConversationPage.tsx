import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { conversationQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ConversationView } from './ConversationView.tsx'
import { useConversationFeed, useFeed } from './use-conversation-feed.ts'
import type { JumpTarget } from './use-jump.ts'
import './prose.css'
import { t } from './text.ts'

interface ConversationPageProps {
  conversationId: string
  /** The event to be shown at first; null is the newest. */
  asked: JumpTarget | null
  /** The tab of the panel to be shown at first; absent is the one that was shown last. */
  tab: string | undefined
}

/** One conversation, live. The events and what is known about it come side by side; both are there before it shows. */
export function ConversationPage({ conversationId, asked, tab }: ConversationPageProps) {
  const { data: info, error, refetch, isFetching } = useQuery(conversationQuery(useClient(), conversationId))
  const feed = useConversationFeed(conversationId)
  const history = useFeed(feed, snapshot => snapshot.history)
  const hasEvents = useFeed(feed, ({ conversation }) => conversation.events.length > 0)
  if (info === null) return <UnknownConversation />
  if (error && !info)
    return (
      <div className="p-6">
        <ErrorNotice error={error} retrying={isFetching} onRetry={() => void refetch()} />
      </div>
    )
  if (history.kind === 'failed' && history.part === 'first')
    return (
      <div className="p-6">
        <ErrorNotice error={history.error} onRetry={feed.retry} />
      </div>
    )
  const ready = history.kind !== 'loading' || hasEvents
  if (!info || !ready)
    return (
      <div className="mx-auto w-full max-w-190 p-6">
        <Skeleton lines={6} label={t('loadingConversation')} />
      </div>
    )
  return <ConversationView info={info} feed={feed} asked={asked} tab={tab} />
}

function UnknownConversation() {
  return (
    <>
      <h1 className="sr-only">{t('unknownConversation')}</h1>
      <EmptyState
        title={t('thisConversationDoesNotExist')}
        action={
          <Link to="/" className={buttonClass('primary')}>
            {t('newConversation')}
          </Link>
        }
      >
        {t('itWasDeleted')}
      </EmptyState>
    </>
  )
}
