import { useQuery } from '@tanstack/react-query'
import { gitStateQuery } from '../../../../api/git-state.ts'
import { useClient } from '../../../../api/session.ts'
import { useOpenConversation } from '../../context.ts'
import { useSandbox } from '../../use-sandbox.ts'

/** The repository as it stands, while its sandbox runs. */
export function useGitState() {
  const { id, status } = useOpenConversation()
  const enabled = useSandbox().isUsable
  return useQuery({ ...gitStateQuery(useClient(), id, status === 'running'), enabled })
}
