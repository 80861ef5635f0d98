import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createSandboxSpec,
  deleteSandboxSpec,
  makeSandboxSpecDefault,
  replaceSandboxSpec,
  type SandboxSpecRequest,
} from '../../server/api/v1/sandbox/specs.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

/** Adds a spec, or with an id puts it in the place of that one. */
export function useSaveSpec(specId: string | null) {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: SandboxSpecRequest) =>
      specId === null
        ? client.call(createSandboxSpec, { body })
        : client.call(replaceSandboxSpec, { params: { spec_id: specId }, body }),
    onSuccess: refresh,
  })
}

export function useDeleteSpec() {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (spec_id: string) => client.call(deleteSandboxSpec, { params: { spec_id } }),
    onSettled: refresh,
  })
}

export function useDefaultSpec() {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (spec_id: string) => client.call(makeSandboxSpecDefault, { params: { spec_id } }),
    onSettled: refresh,
  })
}

function useRefresh() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: keys.specs })
}
