import type { ReviewSide } from '../../../../../server/api/v1/conversation/review.ts'
import { t } from './text.ts'

/** An image beside what it was. */
export function Images({ before, after }: { before: ReviewSide | null; after: ReviewSide | null }) {
  return (
    <div className="grid gap-4 p-4 narrow:grid-cols-2">
      <Side title={t('before')} side={before} />
      <Side title={t('after')} side={after} />
    </div>
  )
}

function Side({ title, side }: { title: string; side: ReviewSide | null }) {
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="text-soft">{title}</figcaption>
      {side?.image ? (
        <img
          alt={title}
          src={`data:${side.image.media_type};base64,${side.image.data}`}
          className="max-w-full self-start border border-line"
        />
      ) : (
        <p className="text-soft">{side ? t('notAnImage') : t('noFileThere')}</p>
      )}
    </figure>
  )
}
