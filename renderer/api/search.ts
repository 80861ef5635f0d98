import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { SearchKind } from '../../server/api/search-kinds.ts'
import { searchEverything } from '../../server/api/v1/system/search.ts'
import type { Client } from '../../server/client/client.ts'
import { keys } from './query-keys.ts'

/** What is looked for, and where. */
export interface Asked {
  text: string
  kinds?: readonly SearchKind[]
  conversation?: string
  repository?: string | undefined
  /** Of this computer. */
  folder?: string | undefined
  /** How many days back from now. */
  days?: number | undefined
  newestFirst?: boolean
  limit?: number
}

const BUILDING_MS = 1_000
const DAY_MS = 24 * 60 * 60_000

/** What was found before stays until the next answer is there; a search that nobody waits for any more is called off. */
export const searchQuery = (client: Client, asked: Asked) =>
  infiniteQueryOptions({
    queryKey: keys.search(asked),
    queryFn: ({ signal, pageParam }) =>
      client.call(searchEverything, {
        query: {
          query: asked.text,
          kind: [...(asked.kinds ?? [])],
          conversation_id: asked.conversation ?? null,
          repository: asked.repository ?? null,
          folder: asked.folder ?? null,
          after: asked.days ? new Date(Date.now() - asked.days * DAY_MS).toISOString() : null,
          sort_order: asked.newestFirst ? 'TIMESTAMP_DESC' : 'RELEVANCE',
          page_id: pageParam,
          limit: asked.limit ?? 20,
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: last => last.next_page_id,
    placeholderData: keepPreviousData,
    // What is still being indexed is found a moment later.
    refetchInterval: ({ state }) => (state.data?.pages.at(-1)?.index.state === 'building' ? BUILDING_MS : false),
    staleTime: 2_000,
    gcTime: 30_000,
    retry: false,
  })
