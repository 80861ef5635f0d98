import { useMutation, useQueryClient } from '@tanstack/react-query'
import { endLogin, endLogins } from '../../server/api/v1/system/logins.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

export function useEndLogin() {
  const client = useClient()
  return useMutation({
    mutationFn: (login_id: string) => client.call(endLogin, { params: { login_id } }),
    onSettled: useRefresh(),
  })
}

/** All but the browser that asks. */
export function useEndLogins() {
  const client = useClient()
  return useMutation({ mutationFn: () => client.call(endLogins, {}), onSettled: useRefresh() })
}

function useRefresh() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: keys.logins })
}
