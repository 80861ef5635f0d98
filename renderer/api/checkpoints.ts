import { queryOptions } from '@tanstack/react-query'
import { listCheckpoints } from '../../server/api/v1/conversation/checkpoints.ts'
import { compareConversations, getComparedFile } from '../../server/api/v1/conversation/comparisons.ts'
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

/** @param working whether an agent is at work in either of them */
export const comparisonQuery = (client: Client, pair: readonly [string, string], working: boolean) =>
  queryOptions({
    queryKey: keys.comparison(pair, working),
    queryFn: ({ signal }) => client.call(compareConversations, { params: paramsOf(pair), signal }),
    refetchInterval: working ? 5_000 : false,
    // It is not that of another pair.
    placeholderData: (last, query) =>
      query?.queryKey[3] === pair[1] && query.queryKey[1] === pair[0] ? last : undefined,
    retry: false,
    staleTime: 0,
  })

interface ComparedSides {
  path: string
  version: string
  sides: 'both' | 'here' | 'there'
}

export const comparedFileQuery = (client: Client, pair: readonly [string, string], asked: ComparedSides) =>
  queryOptions({
    queryKey: keys.comparedFile(pair, asked),
    queryFn: ({ signal }) => client.call(getComparedFile, { params: paramsOf(pair), query: asked, signal }),
    // Only while the same is read again of files that have changed.
    placeholderData: (last, query) => {
      const [, , , , shown] = query?.queryKey ?? []
      const isSame = typeof shown === 'object' && shown.path === asked.path && shown.sides === asked.sides
      return isSame ? last : undefined
    },
    retry: false,
    // The version names what the file is.
    staleTime: Number.POSITIVE_INFINITY,
    // It may be an image, or a megabyte of text, and is soon read again.
    gcTime: 0,
  })

function paramsOf([conversation_id, other_conversation_id]: readonly [string, string]) {
  return { conversation_id, other_conversation_id }
}
