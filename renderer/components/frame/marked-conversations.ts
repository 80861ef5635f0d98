import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../../api/query-keys.ts'

/** At most 100; unknown ones are left out. */
export const markedConversationsQuery = (client: Client, ids: string[]) =>
  queryOptions({
    queryKey: keys.markedConversations(ids),
    queryFn: async ({ signal }) => {
      const reply = await client.call(listAppConversations, { query: { ids }, signal })
      return Array.isArray(reply) ? reply.filter(one => one !== null) : []
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
