import { queryOptions, useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  getSandboxNetwork,
  type NetworkPolicyInfo,
  type SandboxNetworkInfo,
  setSandboxNetwork,
} from '../../../server/api/v1/sandbox/network.ts'
import { ApiError } from '../../../server/client/api-error.ts'
import type { Client } from '../../../server/client/client.ts'
import { notifyError } from '../../ui/overlay/toast.ts'
import { keys } from '../query-keys.ts'
import { useClient } from '../session.ts'

/** null where there is no such sandbox. */
const sandboxNetworkQuery = (client: Client, sandboxId: string) =>
  queryOptions({
    queryKey: keys.sandboxNetwork(sandboxId),
    queryFn: async ({ signal }): Promise<SandboxNetworkInfo | null> => {
      try {
        return await client.call(getSandboxNetwork, { params: { sandbox_id: sandboxId }, signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

/**
 * What a sandbox reaches, as it will be once every change has arrived, and what its programs tried to reach. Changes arrive in
 * the order in which they were made.
 */
export function useSandboxNetwork(sandboxId: string) {
  const client = useClient()
  const queries = useQueryClient()
  const queryKey = keys.sandboxNetwork(sandboxId)
  const filters = { mutationKey: queryKey, status: 'pending' } as const
  const { data: kept, error, refetch, isFetching } = useQuery(sandboxNetworkQuery(client, sandboxId))
  const { mutateAsync } = useMutation({
    mutationKey: queryKey,
    scope: { id: queryKey.join(' ') },
    mutationFn: (body: NetworkPolicyInfo) =>
      client.call(setSandboxNetwork, { params: { sandbox_id: sandboxId }, body }),
    onSuccess: info => queries.setQueryData(queryKey, info),
    onError: error => {
      notifyError(error)
      return queries.invalidateQueries({ queryKey })
    },
  })
  const pending = useMutationState({ filters, select: ({ state }) => state.variables as NetworkPolicyInfo })
  const last = pending.at(-1)
  const data = useMemo(() => kept && { ...kept, ...last }, [kept, last])

  /** @param edit gets the policy of now. @returns the policy before it, once the change holds; null where it was refused */
  async function change(edit: (policy: NetworkPolicyInfo) => NetworkPolicyInfo): Promise<NetworkPolicyInfo | null> {
    const newest = queries.getMutationCache().findAll(filters).at(-1)
    const before =
      (newest?.state.variables as NetworkPolicyInfo | undefined) ?? queries.getQueryData<SandboxNetworkInfo>(queryKey)
    if (!before) return null
    const { network, allowlist } = before
    return mutateAsync(edit({ network, allowlist })).then(
      () => ({ network, allowlist }),
      () => null,
    )
  }
  return { data, error, refetch, isFetching, change }
}
