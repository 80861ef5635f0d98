import { useQuery } from '@tanstack/react-query'
import type { GitChange } from '../../../../server/api/git-changes.ts'
import { gitChangesQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { type FileChange, otherChanges } from '../../../state/conversation-changes.ts'
import { useOpenConversation } from '../conversation-context.ts'
import { useSandbox } from '../use-sandbox.ts'

/**
 * What commands changed in the repository; null while nobody knows, for its sandbox does not run. Only a clone has
 * something that git can compare it with: of any other repository all files would be new.
 */
export function useOtherChanges(edits: readonly FileChange[]): readonly GitChange[] | null {
  const { id, info, status } = useOpenConversation()
  const cloned = info.selected_repository !== null
  const running = useSandbox().status === 'RUNNING'
  const { data } = useQuery({ ...gitChangesQuery(useClient(), id, status === 'running'), enabled: cloned && running })
  if (!cloned) return []
  return running && data ? otherChanges(data, edits) : null
}
