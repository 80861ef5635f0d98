import type { ReviewFile, ReviewHunk } from '../../../../../server/api/v1/conversation/review.ts'
import { useStage } from '../../../../api/review.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'
import type { Review } from './use-review.ts'

/** Puts a file or a hunk of it into the index, or takes it out; null where it is compared with something else. */
export function useStaging({ compared: { base } }: Review, file: ReviewFile, version: string | null) {
  const { id, status } = useOpenConversation()
  const stage = useStage(id)
  if (base !== 'unstaged' && base !== 'staged') return null
  const isStaged = base === 'staged'
  return {
    reasonAgainst: status === 'running' ? t('agentWorksInFiles') : version === null ? t('loadingChanges') : null,
    isPending: stage.isPending,
    error: stage.error,
    ofFile: isStaged ? t('unstageFile') : t('stageFile'),
    ofHunk: isStaged ? t('unstage') : t('stage'),
    stage: (hunk: ReviewHunk | null) => {
      if (version !== null && !stage.isPending) stage.mutate({ base, file, version, hunk })
    },
  }
}
