import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RouteBodyInput } from '../../server/api/contract/route.ts'
import { cancelGitSignIn, type GitSignIn, getGitSignIn, startGitSignIn } from '../../server/api/v1/git/sign-ins.ts'
import type { Client } from '../../server/client/client.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

export type SignInRequest = RouteBodyInput<typeof startGitSignIn>

export function useStartSignIn() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SignInRequest) => client.call(startGitSignIn, { body }),
    onSuccess: signIn => queryClient.setQueryData(keys.gitSignIn(signIn.id), signIn),
  })
}

/** Asked for until it has ended. */
export const signInQuery = (client: Client, begun: GitSignIn) =>
  queryOptions({
    queryKey: keys.gitSignIn(begun.id),
    queryFn: ({ signal }) => client.call(getGitSignIn, { params: { sign_in_id: begun.id }, signal }),
    initialData: begun,
    refetchInterval: ({ state }) => (state.error || state.data?.status !== 'pending' ? false : 1_000),
    retry: false,
  })

/** Nobody waits for the answer: a sign-in that is left alone ends with its code. */
export function cancelSignIn(client: Client, id: string): void {
  client.call(cancelGitSignIn, { params: { sign_in_id: id } }).catch(() => {})
}
