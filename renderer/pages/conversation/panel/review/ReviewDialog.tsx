import { useRef } from 'react'
import { usePreference } from '../../../../state/settings/preference.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { FullDialog } from '../../../../ui/overlay/FullDialog.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { actOnKey, focusHunk } from '../diff-keys.ts'
import { Outdated } from '../Outdated.tsx'
import { CommentBar } from './CommentBar.tsx'
import { UnlistedComments } from './OtherComments.tsx'
import { ReviewContent } from './ReviewContent.tsx'
import { ReviewList } from './ReviewList.tsx'
import { ReviewToolbar } from './ReviewToolbar.tsx'
import { t } from './text.ts'
import { type Review, useReview } from './use-review.ts'

/** All that a conversation changed, file by file, in the whole window. */
export function ReviewDialog({ onClose }: { onClose: () => void }) {
  const review = useReview()
  const [layout, setLayout] = usePreference('review.layout', 'unified')
  const [extent, setExtent] = usePreference('review.extent', 'hunks')
  const main = useRef<HTMLElement>(null)
  const isSplit = layout === 'split'
  const isWhole = extent === 'whole'
  const keys: Record<string, () => void> = {
    j: () => review.step(1),
    k: () => review.step(-1),
    n: () => focusHunk(main.current, 1),
    p: () => focusHunk(main.current, -1),
    s: () => setLayout(isSplit ? 'unified' : 'split'),
    w: () => setExtent(isWhole ? 'hunks' : 'whole'),
    v: () => review.file && review.toggleViewed(review.file),
  }
  return (
    <FullDialog
      title={t('review')}
      onClose={onClose}
      onKeyDown={event => actOnKey(event, keys)}
      toolbar={
        <ReviewToolbar
          review={review}
          isSplit={isSplit}
          onSplit={split => setLayout(split ? 'split' : 'unified')}
          isWhole={isWhole}
          onWhole={whole => setExtent(whole ? 'whole' : 'hunks')}
        />
      }
    >
      <Outdated list={review.list} />
      <div className="flex min-h-0 flex-1 flex-col narrow:flex-row">
        <Body review={review} isSplit={isSplit} isWhole={isWhole} main={main} />
      </div>
      <CommentBar review={review} onSent={onClose} />
    </FullDialog>
  )
}

interface BodyProps {
  review: Review
  isSplit: boolean
  isWhole: boolean
  main: React.RefObject<HTMLElement | null>
}

function Body({ review, isSplit, isWhole, main }: BodyProps) {
  const { list, all, file, unlistedPath } = review
  if (list.error && !list.data)
    return (
      <div className="w-full p-4">
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      </div>
    )
  if (list.isPending) return <Skeleton label={t('loadingChanges')} lines={6} className="w-full p-4" />
  if (all.length === 0 && unlistedPath === null)
    return (
      <div className="w-full">
        <EmptyState title={t('noFileHasChanged')}>{t('nothingAgainstBase')}</EmptyState>
      </div>
    )
  return (
    <>
      <ReviewList review={review} />
      <main ref={main} aria-label={t('changedFile')} className="min-h-0 min-w-0 flex-1 overflow-auto">
        {file && <ReviewContent key={file.path} review={review} file={file} isSplit={isSplit} isWhole={isWhole} />}
        {unlistedPath !== null && <UnlistedComments key={unlistedPath} review={review} path={unlistedPath} />}
      </main>
    </>
  )
}
