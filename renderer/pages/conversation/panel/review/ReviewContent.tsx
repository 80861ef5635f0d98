import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReviewFile, ReviewContent as Sides } from '../../../../../server/api/v1/conversation/review.ts'
import { reviewFileQuery } from '../../../../api/review.ts'
import { useClient } from '../../../../api/session.ts'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { OtherThreads } from '../../pull-request/OtherThreads.tsx'
import { useDiffColours } from '../../timeline/action/diff-colours.ts'
import { diffHunks } from '../../timeline/action/diff-lines.ts'
import { DiffTable } from './DiffTable.tsx'
import { FileBar } from './FileBar.tsx'
import { Images } from './Images.tsx'
import { OtherComments } from './OtherComments.tsx'
import { keyOf, linesOf, placeComments, rowsOfLines, unplaced } from './placed-comments.ts'
import { t } from './text.ts'
import { useReverting } from './use-reverting.ts'
import { isOf, type Review } from './use-review.ts'
import { useStaging } from './use-staging.ts'

interface ReviewContentProps {
  review: Review
  file: ReviewFile
  isSplit: boolean
  isWhole: boolean
}

/** One file of the changes, as it was and as it is. */
export function ReviewContent(props: ReviewContentProps) {
  const { review, file } = props
  const { id } = useOpenConversation()
  const { data, error, refetch, isFetching } = useQuery({
    ...reviewFileQuery(useClient(), id, review.compared, file),
    enabled: !file.submodule,
  })
  const reverting = useReverting(review, file, data?.version ?? null)
  const staging = useStaging(review, file, data?.version ?? null)
  const failed = reverting.error ?? staging?.error
  return (
    <>
      <FileBar review={review} file={file} reverting={reverting} staging={staging} />
      {failed ? (
        <div className="p-4">
          <ErrorNotice error={failed} />
        </div>
      ) : null}
      {((error && !data) || file.submodule) && <AllComments review={review} file={file} />}
      {file.submodule ? (
        <p className="p-4 text-soft">{t('submoduleChanged')}</p>
      ) : error && !data ? (
        <div className="p-4">
          <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
        </div>
      ) : data ? (
        <Content {...props} sides={data} reverting={reverting} staging={staging} />
      ) : (
        <Skeleton label={t('loadingChanges')} lines={6} className="p-4" />
      )}
    </>
  )
}

interface ContentProps extends ReviewContentProps {
  sides: Sides
  reverting: ReturnType<typeof useReverting>
  staging: ReturnType<typeof useStaging>
}

function Content({ review, file, isSplit, isWhole, sides, reverting, staging }: ContentProps) {
  const { original, modified } = sides
  const before = original ? original.text : ''
  const after = modified ? modified.text : ''
  const hunks = useMemo(
    () => diffHunks(before ?? '', after ?? '', isWhole ? Number.MAX_SAFE_INTEGER : 3),
    [before, after, isWhole],
  )
  const colours = useDiffColours(file.path, before ?? '', after ?? '')
  const { sent } = review
  const lines = useMemo(() => ({ before: linesOf(before ?? ''), after: linesOf(after ?? '') }), [before, after])
  const placed = useMemo(
    () =>
      placeComments(
        sent.filter(comment => isOf(comment, file)),
        lines,
        hunks,
      ),
    [sent, file, lines, hunks],
  )
  const shown = useMemo(() => rowsOfLines(hunks), [hunks])
  const unsent = review.comments.filter(
    ({ path, side, line }) => path === file.path && shown.get(keyOf(side, line)) !== keyOf(side, line),
  )
  const comments = <OtherComments review={review} sent={placed.elsewhere} unsent={unsent} />
  if (original?.image || modified?.image)
    return (
      <>
        {comments}
        <Images before={original} after={modified} />
      </>
    )
  if (before === null || after === null || before === after)
    return (
      <>
        {comments}
        <p className="p-4 text-soft">{before === after && before !== null ? sameWords(file) : t('binaryFile')}</p>
      </>
    )
  const elsewhere = review.threadsOf(file).filter(({ line }) => line === null || !shown.has(keyOf('after', line)))
  const revert = { label: t('revertHunk'), isUndo: true, reason: reverting.reasonAgainst, act: reverting.revert }
  const acts = staging
    ? [{ label: staging.ofHunk, isUndo: false, reason: staging.reasonAgainst, act: staging.stage }, revert]
    : [revert]
  return (
    <>
      {comments}
      <OtherThreads threads={elsewhere} onChange={review.setReverted} />
      <DiffTable
        review={review}
        path={file.path}
        lines={lines}
        placed={placed}
        hunks={hunks}
        colours={colours}
        isSplit={isSplit}
        acts={isWhole ? [] : acts}
      />
    </>
  )
}

/** Where there are no lines to show them at. */
function AllComments({ review, file }: Pick<ReviewContentProps, 'review' | 'file'>) {
  const sent = unplaced(review.sentOf(file))
  return <OtherComments review={review} sent={sent} unsent={review.comments.filter(({ path }) => path === file.path)} />
}

function sameWords({ old_path, old_mode, new_mode }: ReviewFile): string {
  if (old_path !== null) return t('onlyMoved', { old: old_path })
  return old_mode && new_mode && old_mode !== new_mode
    ? t('modeChangedTo', { before: old_mode, after: new_mode })
    : t('noTextDiffers')
}
