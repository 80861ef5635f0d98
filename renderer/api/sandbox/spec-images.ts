import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  cancelSpecBuild,
  getSpecBuild,
  saveSandboxAsSpec,
  startSpecBuild,
} from '../../../server/api/v1/sandbox/builds.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../query-keys.ts'
import { useClient } from '../session.ts'

/** How far the build of a spec that has a Dockerfile is, with the end of its log. What changes is pushed. */
export const specBuildQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.specBuild(id),
    queryFn: ({ signal }) => client.call(getSpecBuild, { params: { spec_id: id }, signal }),
    // Only bounds how long a lost frame can be unseen.
    refetchInterval: ({ state }) => (state.data?.state === 'building' ? 5_000 : false),
  })

const ROUTES = { build: startSpecBuild, cancel: cancelSpecBuild } as const

/** Begins the build of a spec, or cancels it. */
export function useSpecBuildAct(id: string) {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (act: keyof typeof ROUTES) => client.call(ROUTES[act], { params: { spec_id: id } }),
    onSuccess: build => queryClient.setQueryData(keys.specBuild(id), build),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.specs }),
  })
}

export interface SpecOfSandbox {
  title: string
  /** Aborting it leaves nothing behind. */
  signal: AbortSignal
}

export function useSaveSandboxAsSpec(sandboxId: string) {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ title, signal }: SpecOfSandbox) =>
      client.call(saveSandboxAsSpec, { params: { sandbox_id: sandboxId }, body: { title }, signal }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.specs }),
  })
}
