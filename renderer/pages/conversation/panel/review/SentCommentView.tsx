import { Bot, Reply } from 'lucide-react'
import type { CommentAnswer, SentComment } from '../../../../../server/api/event/review-comments.ts'
import { Button } from '../../../../ui/Button.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { Spinner } from '../../../../ui/Spinner.tsx'
import { useOpenConversation } from '../../context.ts'
import { OutcomeBadge } from '../../OutcomeBadge.tsx'
import { Markdown } from '../../timeline/message/Markdown.tsx'
import { t } from './text.ts'

interface Props {
  comment: SentComment
  /** What there is to know about its line. */
  note: string | null
  onReply: () => void
}

/** A comment that was sent, with what the agent answered. */
export function SentCommentView({ comment, note, onReply }: Props) {
  const { number, text, sent_at, answer } = comment
  return (
    <section
      aria-label={t('sentComment', { number: String(number) })}
      className="flex max-w-180 flex-col gap-2 border-accent border-s-2 ps-3"
    >
      <div>
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-medium">{t('you')}</span>
          <RelativeTime time={sent_at} ago className="text-faint" />
          {note !== null && <span className="text-faint">{note}</span>}
        </p>
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
      </div>
      {answer ? <Answer answer={answer} /> : <NoAnswer />}
      <div>
        <Button size="small" icon={<Reply size={12} aria-hidden />} onClick={onReply}>
          {t('reply')}
        </Button>
      </div>
    </section>
  )
}

function Answer({ answer: { outcome, text, answered_at } }: { answer: CommentAnswer & { answered_at: string } }) {
  return (
    <div>
      <p className="mb-0.5 flex flex-wrap items-center gap-x-2 text-sm">
        <Bot size={13} aria-hidden className="text-soft" />
        <span className="font-medium">{t('agent')}</span>
        <RelativeTime time={answered_at} ago className="text-faint" />
        <OutcomeBadge outcome={outcome} />
      </p>
      <Markdown text={text} />
    </div>
  )
}

function NoAnswer() {
  const { status } = useOpenConversation()
  if (status !== 'running') return <p className="text-faint text-sm">{t('noAnswerYet')}</p>
  return (
    <p className="flex items-center gap-1.5 text-sm text-work">
      <Spinner size={12} />
      {t('waitingForAgent')}
    </p>
  )
}
