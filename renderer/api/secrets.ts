import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RouteBodyInput } from '../../server/api/contract/route.ts'
import type { GitProvider } from '../../server/api/v1/conversation/conversations.ts'
import {
  createSecretV1,
  deleteSecretV1,
  type NewSecret,
  storeProviderTokensV1,
  testProviderToken,
  updateSecretV1,
} from '../../server/api/v1/settings/secrets.ts'
import type { ProviderTokens } from '../../server/api/v1/settings/user-secrets.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

export type SecretChange = RouteBodyInput<typeof updateSecretV1>

export function useCreateSecret() {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (secret: NewSecret) => client.call(createSecretV1, { body: secret }),
    onSuccess: refresh,
  })
}

/** Without a value the stored one stays. */
export function useUpdateSecret(name: string) {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (change: SecretChange) => client.call(updateSecretV1, { params: { secret_id: name }, body: change }),
    onSuccess: refresh,
  })
}

export function useDeleteSecret() {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (name: string) => client.call(deleteSecretV1, { params: { secret_id: name } }),
    onSettled: refresh,
  })
}

/** Each new token is checked with its provider first; one that is refused changes nothing. */
export function useStoreTokens() {
  const client = useClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (provider_tokens: ProviderTokens) => client.call(storeProviderTokensV1, { body: { provider_tokens } }),
    onSuccess: refresh,
  })
}

/** Asks the provider whose token is stored; it is not read by the window. */
export function useTestToken(provider: GitProvider) {
  const client = useClient()
  return useMutation({ mutationFn: () => client.call(testProviderToken, { params: { provider } }) })
}

function useRefresh() {
  const queryClient = useQueryClient()
  return () => Promise.all([keys.secrets, keys.settings].map(queryKey => queryClient.invalidateQueries({ queryKey })))
}
