import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { parseReviewMessage } from '../../../../../server/api/event/review-comments.ts'
import type { MessageItem } from '../../../../state/conversation/item.ts'
import { formatMoment } from '../../../../state/format.ts'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { StateBadge } from '../../../../ui/StateDot.tsx'
import { FiredSkills } from '../line/FiredSkills.tsx'
import { t } from '../text.ts'
import { InlineImages } from './InlineImages.tsx'
import { Markdown } from './Markdown.tsx'
import { MessageMenu } from './MessageMenu.tsx'
import { PlainText } from './PlainText.tsx'
import { ReviewMessage } from './ReviewMessage.tsx'
import { useFocusWithin } from './use-focus-within.ts'

/** What was said. The agent's words are text; a person's are marked. */
export const MessageCard = memo(function MessageCard({ item }: { item: MessageItem }) {
  if (item.author === 'user') return <OwnMessage item={item} />
  if (item.author === 'agent') return <AgentMessage item={item} text={item.text} />
  return (
    <Message item={item} label="Atelier" className="py-1.5">
      <div className="border-line border-s-2 ps-3 text-soft">
        <p className="text-faint text-sm">{t('atelierToldAgent')}</p>
        <Markdown text={item.text} />
      </div>
      <InlineImages images={item.images} />
      <FiredSkills item={item} />
    </Message>
  )
})

interface AgentMessageProps {
  /** null while it still comes. */
  item: MessageItem | null
  text: string
  /** Its beginning was missed. */
  isCut?: boolean
}

/** What is done of a message that comes, and what is selected in it, stays as it is when all of it has come. */
export function AgentMessage({ item, text, isCut = false }: AgentMessageProps) {
  return (
    <Message item={item} label={t('agent')} className="py-1.5">
      {item?.final && (
        <div className="mb-1 font-medium">
          <StateBadge state="done" />
        </div>
      )}
      {isCut && <p className="text-faint text-sm">{t('loadingBeginning')}</p>}
      <Markdown text={text} isGrowing={item === null} />
      {item && <InlineImages images={item.images} />}
      {item && <FiredSkills item={item} />}
    </Message>
  )
}

function OwnMessage({ item }: { item: MessageItem }) {
  const comments = useMemo(() => parseReviewMessage(item.text), [item.text])
  return (
    <Message item={item} label={t('you')} className="py-3">
      <div className="flex flex-col gap-2 rounded-md border border-line border-s-2 border-s-accent bg-surface px-3 py-2">
        {comments.length > 0 ? <ReviewMessage comments={comments} /> : item.text && <PlainText text={item.text} />}
        <InlineImages images={item.images} />
      </div>
      <FiredSkills item={item} />
    </Message>
  )
}

interface MessageProps {
  /** null while it still comes. */
  item: MessageItem | null
  label: string
  className: string
  children: ReactNode
}

/** Its actions are rendered only while it is hovered or has the focus: a timeline has many messages. */
function Message({ item, label, className, children }: MessageProps) {
  const article = useRef<HTMLElement>(null)
  const [isHovered, setHovered] = useState(false)
  const { isFocused, ...onFocusChange } = useFocusWithin(article)
  const showsActions = isHovered || isFocused
  return (
    <article
      ref={article}
      aria-label={label}
      aria-busy={item === null || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its buttons are reached through it
      tabIndex={0}
      // A message that is scrolled under a resting pointer is entered, but nothing moves over it.
      onPointerMove={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      {...onFocusChange}
      className={`rounded-sm ${className} ${showsActions ? 'relative' : ''}`}
    >
      {children}
      {showsActions && item && <Foot item={item} />}
    </article>
  )
}

function Foot({ item }: { item: MessageItem }) {
  return (
    <div className="absolute -top-2 end-1 flex items-center gap-1 rounded-md border border-line bg-raised ps-2">
      <time dateTime={item.at} className="text-faint text-xs tabular">
        {formatMoment(Date.parse(item.at))}
      </time>
      <CopyButton text={item.text} label={t('copyMessage')} />
      {item.eventId && <MessageMenu item={item} eventId={item.eventId} />}
    </div>
  )
}
