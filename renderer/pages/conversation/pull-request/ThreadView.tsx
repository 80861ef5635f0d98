import { type FormEvent, useState } from 'react'
import type { ReviewThread } from '../../../../server/api/v1/git/pull-request-status.ts'
import { useAnswerThread, useResolveThread } from '../../../api/git-state.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useOpenConversation } from '../context.ts'
import { Markdown } from '../timeline/message/Markdown.tsx'
import { type OnChange, Suggestions } from './Suggestions.tsx'
import { t } from './text.ts'

/** A thread of the pull request at its line: what was said, an answer, and whether it is settled. A settled one is folded. */
export function ThreadView({ thread, onChange }: { thread: ReviewThread; onChange: OnChange }) {
  const { id } = useOpenConversation()
  const [folded, setFolded] = useState(thread.resolved)
  const [answering, setAnswering] = useState(false)
  const resolve = useResolveThread(id)
  const { comments, resolved } = thread
  const settle = () =>
    resolve.mutate({ thread: thread.id, resolved: !resolved }, { onSuccess: () => setFolded(!resolved) })
  return (
    <section
      aria-label={t('threadOf', { author: comments[0]?.author ?? '' })}
      className="flex max-w-180 flex-col gap-2 border-accent border-s-2 ps-3"
    >
      {(folded ? comments.slice(0, 1) : comments).map(({ author, text, created_at, suggestions }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: comments have no name of their own, and keep their order
        <div key={index}>
          <p className="flex items-baseline gap-2 text-sm">
            <span className="font-medium">{author}</span>
            {created_at && <RelativeTime time={created_at} ago className="text-faint" />}
            {index === 0 && resolved && <Badge tone="good">{t('settled')}</Badge>}
          </p>
          {folded ? <p className="truncate text-soft">{text}</p> : <Markdown text={text} />}
          {!folded && <Suggestions thread={thread} suggestions={suggestions} onChange={onChange} />}
        </div>
      ))}
      {resolve.error ? <ErrorNotice error={resolve.error} /> : null}
      {answering ? (
        <Answer thread={thread.id} onEnd={() => setAnswering(false)} />
      ) : (
        <div className="flex gap-2">
          {folded ? (
            <Button size="small" onClick={() => setFolded(false)}>
              {t('unfold')}
            </Button>
          ) : (
            <Button size="small" onClick={() => setAnswering(true)}>
              {t('answer')}
            </Button>
          )}
          {thread.path !== null && (
            <Button size="small" busy={resolve.isPending} onClick={settle}>
              {resolved ? t('reopen') : t('resolve')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

function Answer({ thread, onEnd }: { thread: string; onEnd: () => void }) {
  const { id } = useOpenConversation()
  const [text, setText] = useState('')
  const answer = useAnswerThread(id)
  function send(event?: FormEvent) {
    event?.preventDefault()
    if (text.trim() && !answer.isPending) answer.mutate({ thread, text: text.trim() }, { onSuccess: onEnd })
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={send}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onEnd()
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
      }}
    >
      <Textarea autoFocus aria-label={t('yourAnswer')} value={text} onValueChange={setText} />
      <p className="text-faint text-sm">{t('answerIsPublic')}</p>
      {answer.error ? <ErrorNotice error={answer.error} /> : null}
      <div className="flex gap-2">
        <Button
          type="submit"
          size="small"
          look="primary"
          busy={answer.isPending}
          disabledReason={text.trim() ? null : t('writeFirst')}
        >
          {t('sendAnswer')}
        </Button>
        <Button size="small" onClick={onEnd}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
