import type { ReviewSide } from '../../../../../server/api/v1/conversation/review.ts'
import { t } from './text.ts'
import type { ShownSides } from './use-comparison.ts'

interface Props {
  sides: ShownSides
  before: ReviewSide | null
  after: ReviewSide | null
}

/** Images beside each other. */
export function ComparedImages({ sides, before, after }: Props) {
  const names = {
    both: ['A', 'B'],
    here: [t('earlierImage'), 'A'],
    there: [t('earlierImage'), 'B'],
  } as const
  const [left, right] = names[sides]
  return (
    <div className="grid gap-4 p-4 narrow:grid-cols-2">
      <Figure name={left} side={before} />
      <Figure name={right} side={after} />
    </div>
  )
}

function Figure({ name, side }: { name: string; side: ReviewSide | null }) {
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="text-soft">{name}</figcaption>
      {side?.image ? (
        <img
          alt={name}
          src={`data:${side.image.media_type};base64,${side.image.data}`}
          className="max-w-full self-start border border-line"
        />
      ) : (
        <p className="text-soft">{side ? t('binaryFile') : t('noFileThere')}</p>
      )}
    </figure>
  )
}
