import { useQuery } from '@tanstack/react-query'
import type { GitChange } from '../../../../../server/api/v1/conversation/git-changes.ts'
import { gitChangesQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { type FileChange, otherChanges } from '../../../../state/conversation/changes.ts'
import { useOpenConversation } from '../../context.ts'
import { useSandbox } from '../../use-sandbox.ts'
import { t } from '../text.ts'

export interface OtherChanges {
  files: readonly GitChange[]
  /** Why what commands changed is not among them; null when it is, or will be in a moment. */
  missing: string | null
}

/**
 * What commands changed in the repository, as far as it can be known. Only a clone has something that git can compare it
 * with: of any other repository all files would be new.
 */
export function useOtherChanges(edits: readonly FileChange[]): OtherChanges {
  const { id, info, status } = useOpenConversation()
  const cloned = info.selected_repository !== null
  const running = useSandbox().status === 'RUNNING'
  const { data } = useQuery({ ...gitChangesQuery(useClient(), id, status === 'running'), enabled: cloned && running })
  if (!cloned) return { files: [], missing: NO_CLONE }
  if (!running) return { files: [], missing: NOT_RUNNING }
  return { files: data ? otherChanges(data, edits) : [], missing: null }
}

const NO_CLONE = t('commandFilesNotListed')
const NOT_RUNNING = t('commandChangesHint')
