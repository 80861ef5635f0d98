import { memo, useMemo } from 'react'
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

/** What was said. The agent's words are text; a person's are marked. */
export const MessageCard = memo(function MessageCard({ item }: { item: MessageItem }) {
  if (item.author === 'user') return <OwnMessage item={item} />
  return (
    <article aria-label={item.author === 'agent' ? t('agent') : 'Atelier'} className="group/message relative py-1.5">
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
      <Foot item={item} />
    </article>
  )
})

function OwnMessage({ item }: { item: MessageItem }) {
  const comments = useMemo(() => parseReviewMessage(item.text), [item.text])
  return (
    <article aria-label={t('you')} className="group/message relative py-3">
      <div className="flex flex-col gap-2 rounded-md border border-line border-s-2 border-s-accent bg-surface px-3 py-2">
        {comments.length > 0 ? <ReviewMessage comments={comments} /> : item.text && <PlainText text={item.text} />}
        <InlineImages images={item.images} />
      </div>
      <FiredSkills item={item} />
      <Foot item={item} />
    </article>
  )
}

function Foot({ item }: { item: MessageItem }) {
  return (
    <div className="absolute -top-2 end-1 flex items-center gap-1 rounded-md border border-line bg-raised ps-2 opacity-0 focus-within:opacity-100 group-hover/message:opacity-100 has-data-popup-open:opacity-100">
      <time dateTime={item.at} className="text-faint text-xs tabular">
        {formatMoment(Date.parse(item.at))}
      </time>
      <CopyButton text={item.text} label={t('copyMessage')} />
      {item.eventId && <MessageMenu item={item} eventId={item.eventId} />}
    </div>
  )
}
