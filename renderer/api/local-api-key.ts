import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getLocalApiKey, rotateLocalApiKey } from '../../server/api/v1/system/local-api-key.ts'
import { keys } from './query-keys.ts'
import { useClient, useSession } from './session.ts'

/** The key for other tools, where it is kept, and whether it can be changed. */
export function useLocalApiKey() {
  const { client, key: loginKey } = useSession()
  const { data: info } = useQuery(
    queryOptions({
      queryKey: [...keys.localApiKey, 'info'],
      queryFn: ({ signal }) => client.call(getLocalApiKey, { signal }),
    }),
  )
  const { data: desktop } = useQuery(
    queryOptions({
      queryKey: [...keys.localApiKey, 'desktop'],
      queryFn: async () => (await window.atelier?.connection())?.sessionApiKey ?? null,
    }),
  )
  return { info: info ?? null, key: desktop ?? loginKey }
}

export function useRotateLocalApiKey() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(rotateLocalApiKey),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.localApiKey }),
  })
}
