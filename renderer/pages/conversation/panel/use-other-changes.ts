import { useQuery } from '@tanstack/react-query'
import type { GitChange } from '../../../../server/api/git-changes.ts'
import { gitChangesQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { type FileChange, otherChanges } from '../../../state/conversation-changes.ts'
import { useOpenConversation } from '../conversation-context.ts'
import { useSandbox } from '../use-sandbox.ts'

/** What commands changed in the repository; null while its sandbox does not run, so that nobody knows. */
export function useOtherChanges(edits: readonly FileChange[]): readonly GitChange[] | null {
  const { id, status } = useOpenConversation()
  const running = useSandbox().status === 'RUNNING'
  const { data } = useQuery({ ...gitChangesQuery(useClient(), id, status === 'running'), enabled: running })
  return running && data ? otherChanges(data, edits) : null
}
