import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Client } from '../../server/client/client.ts'
import { keys } from '../api/query-keys.ts'
import { useClient } from '../api/session.ts'
import { notifyError } from '../ui/overlay/toast.ts'

/** An act on a conversation or its sandbox: what it changed is read again, what failed is said. */
export function useCommand<Input = void>(
  act: (client: Client, input: Input) => Promise<unknown>,
  options: { mutationKey?: QueryKey } = {},
) {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    ...options,
    mutationFn: (input: Input) => act(client, input),
    onError: notifyError,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keys.conversations }),
        queries.invalidateQueries({ queryKey: keys.sandboxes }),
      ]),
  })
}
