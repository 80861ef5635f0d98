import type { ReviewFile, ReviewHunk } from '../../../../../server/api/v1/conversation/review.ts'
import { type Compared, useRevert } from '../../../../api/review.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'
import type { Review } from './use-review.ts'

/** Puts a file or a hunk of it back. */
export function useReverting(review: Review, file: ReviewFile, version: string | null) {
  const { id, status } = useOpenConversation()
  const revert = useRevert(id)
  const { compared } = review
  return {
    reasonAgainst:
      status === 'running'
        ? t('agentWorksInFiles')
        : (refusalOf(compared, file) ?? (version ? null : t('loadingChanges'))),
    isPending: revert.isPending,
    error: revert.error,
    revert: (hunk: ReviewHunk | null) => {
      if (version === null || revert.isPending) return
      // A file without changes is not shown any more, maybe before the answer: what was done can be undone all the same.
      revert.mutateAsync({ compared, file, version, hunk }).then(
        reverted =>
          review.setReverted({ words: t(hunk ? 'hunkReverted' : 'fileReverted', { path: file.path }), reverted }),
        () => {},
      )
    },
  }
}

function refusalOf({ base }: Compared, { submodule }: ReviewFile): string | null {
  if (base === 'staged') return t('stagedIsNotReverted')
  return submodule ? t('submoduleIsNotReverted') : null
}
