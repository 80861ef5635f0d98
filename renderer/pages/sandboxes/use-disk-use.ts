import { useQueries } from '@tanstack/react-query'
import type { SandboxInfo } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { useClient } from '../../api/session.ts'
import { sandboxSizesQuery } from '../../api/storage.ts'

export interface DiskUse {
  bytes: ReadonlyMap<string, number>
  isMeasuring: boolean
}

/** What sandboxes take of their engines' disks. An engine takes a while to say, and the list does not wait for it. */
export function useDiskUse(sandboxes: readonly SandboxInfo[]): DiskUse {
  const client = useClient()
  const there = sandboxes.filter(({ status, unreachable }) => status !== 'STARTING' && !unreachable)
  const engines = [...new Set(there.map(({ engine_id }) => engine_id))]
  return useQueries({
    queries: engines.map(engine => {
      const ids = there.filter(({ engine_id }) => engine_id === engine).map(({ id }) => id)
      return sandboxSizesQuery(client, engine, ids.sort())
    }),
    combine: found => ({
      bytes: new Map(found.flatMap(({ data }) => [...(data ?? [])])),
      isMeasuring: found.some(({ isFetching }) => isFetching),
    }),
  })
}
