import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RouteBodyInput } from '../../server/api/contract/route.ts'
import {
  distrustRepository,
  postponeRepositoryTrust,
  setUpRepository,
  trustRepository,
} from '../../server/api/v1/conversation/repository-trust.ts'
import type { Client } from '../../server/client/client.ts'
import { notifyError } from '../ui/overlay/toast.ts'
import { useClient } from './session.ts'

/** Of the content that was shown, and of no other: its digest goes along. */
export function useTrustRepository() {
  return useDecision((client, body: RouteBodyInput<typeof trustRepository>) => client.call(trustRepository, { body }))
}

export function usePostponeTrust(conversation_id: string) {
  return useDecision(client => client.call(postponeRepositoryTrust, { params: { conversation_id } }))
}

/** Runs what was left out and is trusted now. */
export function useSetUpRepository(conversation_id: string) {
  return useDecision(client => client.call(setUpRepository, { params: { conversation_id } }))
}

export function useDistrustRepository() {
  const client = useClient()
  return useMutation({
    mutationFn: (repository: string) => client.call(distrustRepository, { query: { repository } }),
    onSettled: useRefresh(),
  })
}

function useDecision<Input = void>(act: (client: Client, input: Input) => Promise<unknown>) {
  const client = useClient()
  return useMutation({
    mutationFn: (input: Input) => act(client, input),
    onError: notifyError,
    onSettled: useRefresh(),
  })
}

function useRefresh() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['repository-trust'] }),
      queries.invalidateQueries({ queryKey: ['trusted-repositories'] }),
    ])
}
