import { useState } from 'react'
import type { ReviewComment } from '../../../../../server/api/event/review-comments.ts'
import { isAt } from '../../../../state/conversation/review-comments.ts'
import { PathText } from '../../../../ui/PathText.tsx'
import { CommentEditor } from './CommentEditor.tsx'
import { type PlacedComment, unplaced } from './placed-comments.ts'
import { SentCommentView } from './SentCommentView.tsx'
import { t } from './text.ts'
import type { Review } from './use-review.ts'

interface Props {
  review: Review
  sent: readonly PlacedComment[]
  /** Those that wait to be sent. */
  unsent: readonly ReviewComment[]
}

/** Comments whose line is not among those that are shown; each says where it was written. */
export function OtherComments({ review, sent, unsent }: Props) {
  const [writing, setWriting] = useState<ReviewComment | null>(null)
  const lines = distinctLines([...sent.map(({ comment }) => comment), ...unsent])
  if (lines.length === 0) return null
  return (
    <section aria-label={t('commentsElsewhere')} className="flex flex-col gap-4 border-line border-b bg-surface p-3">
      <h3 className="text-faint text-sm">{t('commentsElsewhere')}</h3>
      {lines.map(line => {
        const own = unsent.find(comment => isAt(comment, line))
        const isWriting = writing !== null && isAt(writing, line)
        const said = sent.filter(({ comment }) => isAt(comment, line))
        return (
          <div key={`${line.path} ${line.side} ${line.line}`} className="flex flex-col gap-2">
            <p className="flex min-w-0 gap-2 text-faint text-sm">
              <span className="shrink-0">{t('lineNumber', { line: String(line.line) })}</span>
              <code className="truncate">{line.quoted}</code>
            </p>
            {said.map(({ comment, found }) => (
              <SentCommentView
                key={comment.number}
                comment={comment}
                note={found ? null : t('lineIsGone')}
                onReply={() => setWriting(line)}
              />
            ))}
            {(own || isWriting) && (
              <CommentEditor
                key={String(isWriting)}
                text={own?.text ?? ''}
                isWriting={isWriting}
                label={t('commentOnLine', { line: String(line.line) })}
                onEdit={() => setWriting(line)}
                onCancel={() => setWriting(null)}
                onSave={text => {
                  review.comment({ ...line, text })
                  setWriting(null)
                }}
              />
            )}
          </div>
        )
      })}
    </section>
  )
}

/** The comments on a file that is not among the changes, or not any more. */
export function UnlistedComments({ review, path }: { review: Review; path: string }) {
  return (
    <>
      <div className="sticky top-0 start-0 z-10 border-line border-b bg-canvas px-3 py-2">
        <h2 className="break-all font-mono text-sm">
          <PathText path={path} />
        </h2>
      </div>
      <p className="px-3 py-2 text-soft">{t('fileIsNotAmongChanges')}</p>
      <OtherComments
        review={review}
        sent={unplaced(review.sentOf({ path, old_path: null }))}
        unsent={review.comments.filter(comment => comment.path === path)}
      />
    </>
  )
}

function distinctLines(comments: readonly ReviewComment[]): ReviewComment[] {
  const lines: ReviewComment[] = []
  for (const { path, side, line, quoted, above, below, text } of comments) {
    if (!lines.some(known => isAt(known, { path, side, line }))) {
      lines.push({ path, side, line, quoted, above, below, text })
    }
  }
  return lines.sort((a, b) => a.line - b.line)
}
