import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { batchGetSandboxes, type SandboxInfo, type SandboxStatus } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { keys } from '../../api/query-keys.ts'
import { useClient } from '../../api/session.ts'
import { useOpenConversation } from './context.ts'

/** A server in the sandbox: the variable that gave it its port, and its address on this computer. */
interface SandboxServer {
  readonly name: string
  readonly url: string
}

interface ShownSandbox {
  status: SandboxStatus
  /** It runs, or goes on by itself as soon as something asks for it. */
  isUsable: boolean
  /** The engine cannot be asked: the state is the last known one. */
  unreachable: boolean
  /** Pausing it ends its programs, instead of freezing them. */
  pauseEndsPrograms: boolean
  detail: string | null
  spec: string | null
  /** Engine that it is on; null while that is not known. */
  engineId: string | null
  /** Where servers that the agent starts are reached, by the variable that gave them the port; while it runs. */
  servers: readonly SandboxServer[]
}

/** The conversation's sandbox as it is now; one that the service does not know is missing. */
export function useSandbox(): ShownSandbox {
  const client = useClient()
  const { info } = useOpenConversation()
  const { data } = useQuery({
    queryKey: keys.sandbox(info.sandbox_id),
    queryFn: async ({ signal }) => {
      const [sandbox] = await client.call(batchGetSandboxes, { query: { id: [info.sandbox_id] }, signal })
      return sandbox ?? null
    },
  })
  const servers = useMemo(() => (data ? serversOf(data) : []), [data])
  if (data === undefined) {
    const { sandbox_status: status, sandbox_unreachable: unreachable } = info
    return { ...UNKNOWN, status, unreachable, isUsable: status === 'RUNNING' }
  }
  if (data === null) return { ...UNKNOWN, status: 'MISSING', unreachable: false, isUsable: false }
  const { status, unreachable, status_detail: detail, sandbox_spec_id: spec, engine_id: engineId } = data
  const { pause_ends_programs: pauseEndsPrograms, resumes_by_itself: resumes } = data
  const isUsable = status === 'RUNNING' || resumes
  return { status, unreachable, pauseEndsPrograms, detail, spec, engineId, servers, isUsable }
}

const UNKNOWN = { pauseEndsPrograms: false, detail: null, spec: null, engineId: null, servers: [] as SandboxServer[] }

function serversOf({ exposed_urls }: SandboxInfo): SandboxServer[] {
  return (exposed_urls ?? []).filter(({ name }) => name.startsWith('WORKER_'))
}
