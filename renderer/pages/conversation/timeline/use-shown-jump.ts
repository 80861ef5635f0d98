import { type RefObject, useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { VirtuosoHandle } from 'react-virtuoso'
import type { Item } from '../../../state/conversation/item.ts'
import { locate } from '../../../state/conversation/locate.ts'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { t } from '../find/text.ts'
import type { Jumps } from '../use-jump.ts'
import { clearHighlight, highlightWords } from './highlight.ts'
import type { Folds } from './line/folds.ts'
import type { Flash } from './Timeline.tsx'
import type { Following } from './use-following.ts'

interface Parts {
  jump: Jumps['jump']
  items: readonly Item[]
  folds: Folds
  following: Following
  list: RefObject<VirtuosoHandle | null>
  /** What the list is in. */
  pane: RefObject<HTMLElement | null>
}

/** How far the row stands below the top: the find bar lies over the list. */
const OFFSET_PX = 72

/** Unfolds the row of a jump, scrolls to it and marks it. */
export function useShownJump({ jump, items, folds, following, list, pane }: Parts) {
  const [flash, setFlash] = useState<Flash | null>(null)
  const show = useEffectEvent((target: NonNullable<Jumps['jump']>) => {
    const place = locate(items, target.seq, target.kind)
    const item = place && items[place.index]
    if (!item) {
      notifyDone(t('notThereAnyMore'))
      return undefined
    }
    following.leave()
    for (const key of place.unfold) folds.choose(key, true)
    setFlash({ key: item.key, number: target.number })
    return scrollUntilShown({
      index: place.index,
      pane,
      scroll: () => list.current?.scrollToIndex({ index: place.index, align: 'start', offset: -OFFSET_PX }),
      onShown: row => highlightWords(row, target.words),
    })
  })
  useEffect(() => (jump ? show(jump) : undefined), [jump])
  useEffect(() => clearHighlight, [])
  const clearFlash = useCallback(() => setFlash(null), [])
  return { flash, clearFlash }
}

const MAX_FRAMES = 120
/** A row that stays so long where it is to be is there for good. */
const SETTLED_FRAMES = 3

/** The list puts what was loaded in its place step by step, and moves meanwhile. @returns how to call it off */
function scrollUntilShown(options: {
  index: number
  pane: RefObject<HTMLElement | null>
  scroll: () => void
  onShown: (row: Element) => void
}): () => void {
  const { index, pane, scroll, onShown } = options
  let [frames, settled] = [0, 0]
  const step = () => {
    const row = pane.current?.querySelector(`[data-index="${index}"]`)
    const place = row?.getBoundingClientRect()
    const view = pane.current?.getBoundingClientRect()
    const isShown = place && view && place.top >= view.top && place.top <= view.top + view.height / 2
    settled = isShown ? settled + 1 : 0
    if (!isShown) scroll()
    frames += 1
    if (settled >= SETTLED_FRAMES && row) onShown(row)
    else if (frames < MAX_FRAMES) frame = requestAnimationFrame(step)
  }
  let frame = requestAnimationFrame(step)
  return () => cancelAnimationFrame(frame)
}
