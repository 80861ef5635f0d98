import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addEngine,
  checkEngine,
  type EngineAddress,
  listAvailableEngines,
  listEngines,
  removeEngine,
  renameEngine,
} from '../../../server/api/v1/system/engines.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../query-keys.ts'
import { useClient } from '../session.ts'

/** How long each takes to answer changes all the time, which is not published. */
const LATENCY_MS = 10_000

export const enginesQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.engines,
    queryFn: ({ signal }) => client.call(listEngines, { signal }),
    staleTime: 60_000,
    select: ({ items }) => items,
  })

export const watchedEnginesQuery = (client: Client) =>
  queryOptions({ ...enginesQuery(client), refetchInterval: LATENCY_MS })

/** Contexts and sockets of this machine that are not used yet. */
export const availableEnginesQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.availableEngines,
    queryFn: ({ signal }) => client.call(listAvailableEngines, { signal }),
    gcTime: 0,
    select: ({ items }) => items,
  })

export function useAddEngine() {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: { name: string; address: EngineAddress }) => client.call(addEngine, { body }),
    onSuccess: refresh,
  })
}

export function useRenameEngine(engine_id: string) {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (name: string) => client.call(renameEngine, { params: { engine_id }, body: { name } }),
    onSuccess: refresh,
  })
}

/** Looks for it again now, or asks it for a sign of life. */
export function useCheckEngine() {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (engine_id: string) => client.call(checkEngine, { params: { engine_id } }),
    onSettled: refresh,
  })
}

/** @param forgets whether the sandboxes of one that does not answer go with it */
export function useRemoveEngine(forgets: boolean) {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (engine_id: string) =>
      client.call(removeEngine, { params: { engine_id }, query: { forget_sandboxes: forgets } }),
    onSettled: refresh,
  })
}

function useRefresh() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([keys.engines, keys.specs, keys.sandboxes].map(queryKey => queryClient.invalidateQueries({ queryKey })))
}
