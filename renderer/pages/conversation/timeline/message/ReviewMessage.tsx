import type { NumberedComment } from '../../../../../server/api/event/review-comments.ts'
import { t } from '../text.ts'

/** A review that was sent: each comment with its line. */
export function ReviewMessage({ comments }: { comments: readonly NumberedComment[] }) {
  return (
    <>
      <p className="text-faint text-sm">{t('reviewOfComments', { count: comments.length })}</p>
      <ol className="flex flex-col gap-3">
        {comments.map(({ number, path, side, line, quoted, text }) => (
          <li key={number} className="flex min-w-0 flex-col gap-0.5">
            <p className="font-mono text-soft text-sm [overflow-wrap:anywhere]">
              {t(side === 'before' ? 'placeOfCommentBefore' : 'placeOfComment', { path, line: String(line) })}
            </p>
            {quoted.trim() !== '' && (
              <code className="self-start max-w-full truncate rounded-sm bg-sunken px-1.5 py-0.5 text-sm">
                {quoted.trim()}
              </code>
            )}
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
          </li>
        ))}
      </ol>
    </>
  )
}
