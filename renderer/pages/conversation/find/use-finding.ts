import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { SearchHit } from '../../../../server/api/v1/system/search.ts'
import { searchQuery } from '../../../api/search.ts'
import { useClient } from '../../../api/session.ts'
import { placeOfHit } from '../../../state/search/groups.ts'
import { EVENT_KINDS } from '../../../state/search/kinds.ts'
import { useSettled } from '../../../state/settled.ts'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { t } from './text.ts'

const SETTLED_MS = 150
const PAGE = 100
/** From here on the service counts no further. */
const MAX_TOTAL = 1000

export interface Finding {
  /** Which of how many, in words. */
  words: string
  busy: boolean
  older: () => void
  newer: () => void
}

/** Matches of the whole log, newest first, and a walk through them, which begins with the newest. */
export function useFinding(text: string): Finding {
  const client = useClient()
  const { id, jumpTo } = useOpenConversation()
  const isLoadingBack = useSnapshot(({ history }) => history.kind === 'loading_back')
  const wanted = useSettled(text, SETTLED_MS).trim()
  const asked = { text: wanted, conversation: id, kinds: EVENT_KINDS, newestFirst: true, limit: PAGE }
  const found = useInfiniteQuery({ ...searchQuery(client, asked), enabled: wanted !== '', refetchOnWindowFocus: false })
  const [index, setIndex] = useState(0)
  const isCurrent = wanted !== '' && wanted === text.trim() && found.data !== undefined && !found.isPlaceholderData
  const hits = isCurrent ? found.data.pages.flatMap(page => page.items) : []
  const total = isCurrent ? Math.max(found.data.pages[0]?.total ?? 0, hits.length) : 0

  function go(next: number) {
    show(next, hits[next])
  }
  function show(next: number, hit: SearchHit | undefined) {
    const place = hit && placeOfHit(hit)
    if (place?.seq === undefined) return
    setIndex(next)
    jumpTo(place)
  }
  async function older() {
    if (index + 1 < hits.length) return go(index + 1)
    if (!found.hasNextPage) return go(0)
    const { data } = await found.fetchNextPage()
    show(index + 1, data?.pages.flatMap(page => page.items)[index + 1])
  }
  const goneTo = useRef('')
  const begin = useEffectEvent(() => {
    if (goneTo.current === wanted) return
    goneTo.current = wanted
    go(0)
  })
  useEffect(() => {
    if (isCurrent) begin()
  }, [isCurrent])
  return {
    words: isCurrent ? wordsOf(index, total) : '',
    busy: found.isFetching || isLoadingBack,
    older: () => void older(),
    newer: () => go(index > 0 ? index - 1 : hits.length - 1),
  }
}

function wordsOf(index: number, total: number): string {
  if (total === 0) return t('noMatches')
  const place = Math.max(1, total - index)
  return total >= MAX_TOTAL ? t('placeOfMany', { place, total }) : t('placeOfTotal', { place, total })
}
