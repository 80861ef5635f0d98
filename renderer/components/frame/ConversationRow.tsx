import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { AppConversationStartTask } from '../../../server/api/v1/conversation/starts.ts'
import { placeOf, titleOf } from '../../state/conversation/list.ts'
import { conversationState, START_STEP_WORDS } from '../../state/words.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { t } from '../text.ts'

const ROW =
  'flex items-start gap-2 rounded-md px-2 py-1 hover:bg-hover data-[status=active]:bg-selected [content-visibility:auto]'

interface ConversationRowProps {
  conversation: AppConversation
  /** Below the conversation that it works for. */
  nested: boolean
  /** Whether Tab stops at it; the arrow keys reach every row. */
  isTabStop: boolean
  isUnread: boolean
  /** Among several of which something is to be done. */
  isSelected: boolean
  onOpen: (() => void) | undefined
}

export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, nested, isTabStop, isUnread, isSelected, onOpen } = props
  const { id, updated_at } = conversation
  const place = placeOf(conversation)
  const title = titleOf(conversation)
  return (
    <li data-conversation={id} className={nested ? 'ms-3.5 border-line border-s ps-1' : ''}>
      <Link
        to="/conversations/$conversationId"
        params={{ conversationId: id }}
        tabIndex={isTabStop ? 0 : -1}
        onClick={onOpen}
        className={`${ROW} ${isSelected ? 'bg-selected outline outline-accent -outline-offset-1' : ''}`}
      >
        <span className="flex h-5 items-center">
          <StateDot state={conversationState(conversation)} />
        </span>
        <span className="min-w-0 flex-1">
          <span className={`block truncate ${isUnread ? 'font-semibold' : ''}`} title={title}>
            {title}
            {isUnread && <span className="sr-only"> {t('unread')}</span>}
            {isSelected && <span className="sr-only"> {t('selected')}</span>}
          </span>
          <span className={nested ? 'hidden' : 'flex justify-between gap-2 text-sm text-faint'}>
            <span className="truncate" title={place?.path}>
              {place?.name ?? t('noRepository')}
            </span>
            <RelativeTime time={updated_at} />
          </span>
        </span>
      </Link>
    </li>
  )
})

export function StartTaskRow({ task, onOpen }: { task: AppConversationStartTask; onOpen: (() => void) | undefined }) {
  const text = task.request.initial_message?.content.find(part => part.type === 'text')?.text
  return (
    <li>
      <Link to="/starting/$taskId" params={{ taskId: task.id }} onClick={onOpen} className={ROW}>
        <span className="flex h-5 items-center">
          <StateDot state="starting" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate">{task.request.title ?? text ?? t('newConversation')}</span>
          <span className="block truncate text-sm text-faint">{START_STEP_WORDS[task.status]}…</span>
        </span>
      </Link>
    </li>
  )
}
