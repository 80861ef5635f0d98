import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteSandbox, pauseSandbox, resumeSandbox, startSandbox } from '../../server/api/v1/sandbox/sandboxes.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

const ROUTES = { pause: pauseSandbox, resume: resumeSandbox, delete: deleteSandbox } as const
export type SandboxAct = keyof typeof ROUTES

/** Pauses, resumes or deletes one sandbox. */
export function useSandboxAct(sandboxId: string) {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (act: SandboxAct) => client.call(ROUTES[act], { params: { sandbox_id: sandboxId } }),
    onSettled: refresh,
  })
}

export function useStartSandbox() {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (spec: string) => client.call(startSandbox, { body: { sandbox_spec_id: spec } }),
    onSettled: refresh,
  })
}

/** What runs in a sandbox has a state too: the conversations and the engine's count follow. */
function useRefresh() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [keys.sandboxes, keys.system, keys.conversations].map(queryKey => queryClient.invalidateQueries({ queryKey })),
    )
}
