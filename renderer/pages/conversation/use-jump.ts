import { useCallback, useEffect, useRef, useState } from 'react'
import type { SearchKind } from '../../../server/api/search-kinds.ts'
import type { ConversationFeed } from '../../state/conversation/feed.ts'

/** An event to be shown. */
export interface JumpTarget {
  readonly seq: number
  readonly kind: SearchKind | undefined
  /** What was found there, as it is written. */
  readonly words: readonly string[]
}

export interface Jumps {
  /** The last target whose event is loaded; `number` tells it from the same one before. */
  readonly jump: (JumpTarget & { number: number }) | null
  /** Loads what is needed; another jump takes its place. */
  readonly jumpTo: (target: JumpTarget) => void
  readonly cancelJump: () => void
}

/** @param asked by the address; it is forgotten once the way there has begun */
export function useJump(feed: ConversationFeed, asked: JumpTarget | null, onBegun: () => void): Jumps {
  const [jump, setJump] = useState<Jumps['jump']>(null)
  const current = useRef<AbortController | null>(null)
  const number = useRef(0)
  const jumpTo = useCallback(
    async (target: JumpTarget) => {
      current.current?.abort()
      const controller = new AbortController()
      current.current = controller
      await feed.loadBackTo(target.seq, controller.signal)
      if (controller.signal.aborted) return
      number.current += 1
      setJump({ ...target, number: number.current })
    },
    [feed],
  )
  const cancelJump = useCallback(() => current.current?.abort(), [])
  const begun = useRef(onBegun)
  begun.current = onBegun
  const latest = useRef(asked)
  latest.current = asked
  const seq = asked?.seq
  useEffect(() => {
    if (seq === undefined || !latest.current) return
    void jumpTo(latest.current)
    begun.current()
  }, [seq, jumpTo])
  return { jump, jumpTo, cancelJump }
}
