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
  return (
    <Message item={item} label={item.author === 'agent' ? t('agent') : 'Atelier'} className="py-1.5">
      {item.final && (
        <div className="mb-1 font-medium">
          <StateBadge state="done" />
        </div>
      )}
      {item.author === 'environment' ? (
        <div className="border-line border-s-2 ps-3 text-soft">
          <p className="text-faint text-sm">{t('atelierToldAgent')}</p>
          <Markdown text={item.text} />
        </div>
      ) : (
        <Markdown text={item.text} />
      )}
      <InlineImages images={item.images} />
      <FiredSkills item={item} />
    </Message>
  )
})

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
  item: MessageItem
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its buttons are reached through it
      tabIndex={0}
      // A message that is scrolled under a resting pointer is entered, but nothing moves over it.
      onPointerMove={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      {...onFocusChange}
      className={`rounded-sm ${className} ${showsActions ? 'relative' : ''}`}
    >
      {children}
      {showsActions && <Foot item={item} />}
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
