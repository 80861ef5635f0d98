import { useQuery } from '@tanstack/react-query'
import { listPorts } from '../../../../../server/api/v1/sandbox/ports.ts'
import { keys } from '../../../../api/query-keys.ts'
import { useClient } from '../../../../api/session.ts'
import { useOpenConversation } from '../../context.ts'
import { useSandbox } from '../../use-sandbox.ts'

interface PortsOptions {
  /** Programs begin to listen without a word: milliseconds until they are looked for again, as long as the window is seen. */
  everyMs?: number | false
  /** Whether a sandbox that rests is woken, once, to be asked. Whoever asks again and again does not keep it awake. */
  wakes?: boolean
}

/** What listens in the conversation's sandbox; nothing is asked while it does not run. */
export function usePorts({ everyMs = false, wakes = false }: PortsOptions = {}) {
  const client = useClient()
  const { info } = useOpenConversation()
  const sandbox_id = info.sandbox_id
  const { status, isUsable } = useSandbox()
  return useQuery({
    queryKey: keys.ports(sandbox_id),
    queryFn: ({ signal }) => client.call(listPorts, { params: { sandbox_id }, query: { wake: wakes }, signal }),
    enabled: wakes ? isUsable : status === 'RUNNING',
    refetchInterval: everyMs,
    staleTime: 0,
    // Somebody else asks then too.
    ...(wakes && { refetchOnWindowFocus: false, refetchOnReconnect: false }),
    retry: false,
  })
}
