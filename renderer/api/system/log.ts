import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getLog } from '../../../server/api/v1/system/log.ts'
import type { Client } from '../../../server/client/client.ts'
import { appended, type LogView, prepended } from '../../state/log-view.ts'
import { keys } from '../query-keys.ts'
import { useClient } from '../session.ts'

const FOLLOW_MS = 2_000

/** The end of the log and, while it follows, what comes after it. Forgotten when nobody looks at it. */
export const logQuery = (client: Client, queryClient: QueryClient, { follows }: { follows: boolean }) =>
  queryOptions({
    queryKey: keys.log,
    queryFn: async ({ signal }): Promise<LogView> => {
      const after = queryClient.getQueryData<LogView>(keys.log)?.after
      const piece = await client.call(getLog, { query: { after }, signal })
      // Earlier lines may have come meanwhile.
      const known = queryClient.getQueryData<LogView>(keys.log)
      return known ? appended(known, piece) : piece
    },
    refetchInterval: follows && FOLLOW_MS,
    gcTime: 0,
  })

/** Reads the piece before the lines that are there. */
export function useEarlierLines() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (before: string) => client.call(getLog, { query: { before } }),
    onSuccess: (piece, before) =>
      queryClient.setQueryData<LogView>(keys.log, known =>
        known?.before === before ? prepended(known, piece) : known,
      ),
  })
}
