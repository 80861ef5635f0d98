import { queryOptions } from '@tanstack/react-query'
import { listCheckpoints } from '../../server/api/v1/conversation/checkpoints.ts'
import type { Client } from '../../server/client/client.ts'
import { keys } from './query-keys.ts'
import type { Compared } from './review.ts'

/** @param eventId only the one of what the files were then; null is the newest of all */
export const checkpointsQuery = (client: Client, id: string, eventId: string | null) =>
  queryOptions({
    queryKey: keys.checkpoints(id, eventId),
    queryFn: async ({ signal }) => {
      const query = eventId === null ? {} : { event_id: eventId }
      return (await client.call(listCheckpoints, { params: { conversation_id: id }, query, signal })).items
    },
    staleTime: 0,
  })

export function comparedWith(checkpointId: string): Compared {
  return { base: 'checkpoint', named: checkpointId }
}
