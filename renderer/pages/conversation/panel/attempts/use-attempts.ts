import { queryOptions, useQuery } from '@tanstack/react-query'
import { listAttempts } from '../../../../../server/api/v1/conversation/attempts.ts'
import type { Client } from '../../../../../server/client/client.ts'
import { keys } from '../../../../api/query-keys.ts'
import { useClient } from '../../../../api/session.ts'
import { useOpenConversation } from '../../context.ts'

/** What was begun from this conversation several times, the last first. */
export function useAttempts() {
  const { id } = useOpenConversation()
  return useQuery(attemptsQuery(useClient(), id))
}

export const attemptsQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.attempts(id),
    queryFn: async ({ signal }) => (await client.call(listAttempts, { params: { conversation_id: id }, signal })).items,
  })
