import { t } from '../text.ts'
import { OtherComments } from './OtherComments.tsx'
import type { Review } from './use-review.ts'

/** The comments on a file that is not among the changes, or not any more. */
export function UnlistedComments({ review, path }: { review: Review; path: string }) {
  return (
    <>
      <div className="sticky top-0 left-0 z-10 border-line border-b bg-canvas px-3 py-2">
        <h2 className="break-all font-mono text-sm">{path}</h2>
      </div>
      <OtherComments
        review={review}
        sent={review.sentOf({ path, old_path: null }).map(comment => ({ comment, found: null }))}
        unsent={review.comments.filter(comment => comment.path === path)}
      />
      <p className="p-4 text-soft">{t('fileIsNotAmongChanges')}</p>
    </>
  )
}
