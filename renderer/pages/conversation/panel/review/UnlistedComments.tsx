import { t } from '../text.ts'
import { OtherComments } from './OtherComments.tsx'
import { unplaced } from './placed-comments.ts'
import type { Review } from './use-review.ts'

/** The comments on a file that is not among the changes, or not any more. */
export function UnlistedComments({ review, path }: { review: Review; path: string }) {
  return (
    <>
      <div className="sticky top-0 left-0 z-10 border-line border-b bg-canvas px-3 py-2">
        <h2 className="break-all font-mono text-sm">{path}</h2>
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
