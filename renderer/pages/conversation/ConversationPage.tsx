import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { conversationQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ConversationView } from './ConversationView.tsx'
import type { ConversationInfo } from './context.ts'
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
  const query = useQuery({ ...conversationQuery(useClient(), conversationId), select: steadyPart })
  const { data: info, error } = query
  const feed = useConversationFeed(conversationId)
  const failure = useFeed(feed, ({ history }) =>
    history.kind === 'failed' && history.part === 'first' ? history : null,
  )
  const isReady = useFeed(
    feed,
    ({ history, conversation }) => history.kind !== 'loading' || conversation.events.length > 0,
  )
  if (info === null) return <UnknownConversation />
  if (error && !info)
    return (
      <div className="p-6">
        {/* What is read of a query renders the page whenever it changes: whether it is asked again is read here alone. */}
        <ErrorNotice error={error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
      </div>
    )
  if (failure)
    return (
      <div className="p-6">
        <ErrorNotice error={failure.error} onRetry={feed.retry} />
      </div>
    )
  if (!info || !isReady)
    return (
      <div className="mx-auto w-full max-w-190 p-6">
        <Skeleton lines={6} label={t('loadingConversation')} />
      </div>
    )
  return <ConversationView info={info} feed={feed} asked={asked} tab={tab} />
}

function steadyPart(conversation: AppConversation | null): ConversationInfo | null {
  if (conversation === null) return null
  const { updated_at, execution_status, steps, metrics, cost_unknown, ...steady } = conversation
  return steady
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
