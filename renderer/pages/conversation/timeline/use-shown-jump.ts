import { type RefObject, useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { VirtuosoHandle } from 'react-virtuoso'
import type { Item } from '../../../state/conversation/item.ts'
import { locate } from '../../../state/conversation/locate.ts'
import type { Jumps } from '../use-jump.ts'
import type { Folds } from './line/folds.ts'
import type { Flash } from './Timeline.tsx'
import type { Following } from './use-following.ts'

interface Parts {
  jump: Jumps['jump']
  items: readonly Item[]
  folds: Folds
  following: Following
  list: RefObject<VirtuosoHandle | null>
}

/** How far the row stands below the top: the find bar lies over the list. */
const OFFSET_PX = 72

/** Unfolds the row of a jump, scrolls to it and marks it. */
export function useShownJump({ jump, items, folds, following, list }: Parts) {
  const [flash, setFlash] = useState<Flash | null>(null)
  const show = useEffectEvent((target: NonNullable<Jumps['jump']>) => {
    const place = locate(items, target.seq, target.kind)
    const item = place && items[place.index]
    if (!item) return undefined
    following.leave()
    for (const key of place.unfold) folds.choose(key, true)
    setFlash({ key: item.key, number: target.number })
    // Once the list knows what was loaded for it, and what was unfolded.
    const frame = requestAnimationFrame(() =>
      list.current?.scrollToIndex({ index: place.index, align: 'start', offset: -OFFSET_PX }),
    )
    return () => cancelAnimationFrame(frame)
  })
  useEffect(() => (jump ? show(jump) : undefined), [jump])
  const clearFlash = useCallback(() => setFlash(null), [])
  return { flash, clearFlash }
}
