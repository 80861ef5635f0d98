import { ChevronDown, ChevronUp, Undo2 } from 'lucide-react'
import type { ReviewFile } from '../../../../../server/api/v1/conversation/review.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { t } from './text.ts'
import type { useReverting } from './use-reverting.ts'
import type { Review } from './use-review.ts'
import type { useStaging } from './use-staging.ts'

interface Props {
  review: Review
  file: ReviewFile
  reverting: ReturnType<typeof useReverting>
  staging: ReturnType<typeof useStaging>
}

/** Which file it is, and what can be done with all of it. */
export function FileBar({ review, file, reverting, staging }: Props) {
  const { path, old_path, old_mode, new_mode } = file
  const viewed = review.isViewed(file)
  return (
    <div className="sticky top-0 start-0 z-10 flex flex-wrap items-center gap-2 border-line border-b bg-canvas px-3 py-1.5">
      <h2 className="min-w-0 flex-1 break-all font-mono text-sm">
        <bdi dir="ltr">
          {old_path !== null && (
            <span className="text-soft">
              <PathText path={old_path} /> →{' '}
            </span>
          )}
          <PathText path={path} />
        </bdi>
        {old_mode && new_mode && old_mode !== new_mode && (
          <span className="text-soft"> {t('modeChangedTo', { before: old_mode, after: new_mode })}</span>
        )}
      </h2>
      <IconButton
        size="small"
        label={t('previousFile')}
        icon={<ChevronUp size={14} aria-hidden />}
        onClick={() => review.step(-1)}
      />
      <IconButton
        size="small"
        label={t('nextFile')}
        icon={<ChevronDown size={14} aria-hidden />}
        onClick={() => review.step(1)}
      />
      <Button
        size="small"
        aria-pressed={viewed}
        look={viewed ? 'primary' : 'secondary'}
        onClick={() => review.toggleViewed(file)}
      >
        {t('viewed')}
      </Button>
      {staging && (
        <Button
          size="small"
          busy={staging.isPending}
          disabledReason={staging.reasonAgainst}
          onClick={() => staging.stage(null)}
        >
          {staging.ofFile}
        </Button>
      )}
      <Button
        size="small"
        icon={<Undo2 size={13} aria-hidden />}
        busy={reverting.isPending}
        disabledReason={reverting.reasonAgainst}
        onClick={() => reverting.revert(null)}
      >
        {t('revertFile')}
      </Button>
    </div>
  )
}
