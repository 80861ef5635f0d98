import type { PullRequestReview, ReviewThread } from '../../../../server/api/v1/git/pull-request-status.ts'
import { t } from './text.ts'

const SHOWN = 5

const VERDICTS = {
  APPROVED: 'byApproved',
  CHANGES_REQUESTED: 'byChangesRequested',
  COMMENTED: 'byCommented',
} as const

interface Props {
  reviews: readonly PullRequestReview[]
  threads: readonly ReviewThread[]
}

/** What the reviewers said, and the comments that are not settled. */
export function Comments({ reviews, threads }: Props) {
  const open = threads.filter(({ resolved }) => !resolved)
  return (
    <>
      {reviews.length > 0 && (
        <section aria-label={t('reviews')} className="flex flex-col gap-1">
          <h3 className="text-faint text-sm">{t('reviews')}</h3>
          {reviews.map(({ author, state, text }) => (
            <div key={`${author} ${state}`}>
              <p>{t(VERDICTS[state], { author })}</p>
              {text && <p className="line-clamp-3 whitespace-pre-wrap text-soft text-sm wrap-anywhere">{text}</p>}
            </div>
          ))}
        </section>
      )}
      {open.length > 0 && (
        <section aria-label={t('comments', { count: open.length })} className="flex flex-col gap-2">
          <h3 className="text-faint text-sm">{t('comments', { count: open.length })}</h3>
          {open.slice(0, SHOWN).map(thread => (
            <Thread key={thread.id} thread={thread} />
          ))}
          {open.length > SHOWN && (
            <p className="text-faint text-sm">{t('moreComments', { count: open.length - SHOWN })}</p>
          )}
        </section>
      )}
    </>
  )
}

function Thread({ thread: { path, line, comments } }: { thread: ReviewThread }) {
  return (
    <div className="border-line border-s-2 ps-2">
      {path !== null && (
        <p className="truncate font-mono text-faint text-sm" title={path}>
          {line === null ? path : t('onLine', { path, line: String(line) })}
        </p>
      )}
      {comments.map(({ author, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: comments have no name of their own, and keep their order
        <p key={index} className="line-clamp-4 whitespace-pre-wrap text-sm wrap-anywhere">
          <span className="text-faint">{author}</span> {text}
        </p>
      ))}
    </div>
  )
}
