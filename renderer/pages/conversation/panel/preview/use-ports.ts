import { useQuery } from '@tanstack/react-query'
import { listPorts } from '../../../../../server/api/v1/sandbox/ports.ts'
import { keys } from '../../../../api/query-keys.ts'
import { useClient } from '../../../../api/session.ts'
import { useOpenConversation } from '../../context.ts'
import { useSandbox } from '../../use-sandbox.ts'

/** Programs begin to listen without a word: they are looked for again, as long as the window is seen. */
const LOOK_MS = 3_000

/** What listens in the conversation's sandbox now; nothing is asked while it does not run. */
export function usePorts() {
  const client = useClient()
  const { info } = useOpenConversation()
  const sandbox_id = info.sandbox_id
  const { isUsable } = useSandbox()
  return useQuery({
    queryKey: keys.ports(sandbox_id),
    queryFn: ({ signal }) => client.call(listPorts, { params: { sandbox_id }, signal }),
    enabled: isUsable,
    refetchInterval: LOOK_MS,
    staleTime: 0,
    retry: false,
  })
}
