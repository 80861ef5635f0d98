import { useCallback, useRef } from 'react'
import { type Scroll, staysFollowing } from './following.ts'

/** A wheel or a finger goes on scrolling for a while after it was moved. */
const MOVE_MS = 600

export interface Following {
  setScroller: (element: HTMLElement | Window | null) => void
  follow: () => void
  /** The person goes elsewhere. */
  leave: () => void
  isFollowing: () => boolean
}

/**
 * Keeps the end of a list in sight while it grows. Only the person takes it from there: that more came than the list has
 * scrolled to yet does not.
 */
export function useFollowing(): Following {
  const scroller = useRef<HTMLElement | null>(null)
  const following = useRef(true)
  const last = useRef({ top: 0, movedAt: Number.NEGATIVE_INFINITY, pressed: false })

  const setScroller = useCallback((element: HTMLElement | Window | null) => {
    if (!(element instanceof HTMLElement)) return
    scroller.current = element
    const moved = () => {
      last.current.movedAt = performance.now()
    }
    const press = (pressed: boolean) => () => {
      last.current.pressed = pressed
      moved()
    }
    for (const name of ['wheel', 'touchmove', 'keydown'] as const) {
      element.addEventListener(name, moved, { passive: true })
    }
    element.addEventListener('pointerdown', press(true))
    for (const name of ['pointerup', 'pointercancel'] as const) element.addEventListener(name, press(false))
    const scrolled = ({ target }: Event) => {
      // What scrolls in a row is heard as well.
      if (target !== element) return
      const { top, movedAt, pressed } = last.current
      const byPerson = pressed || performance.now() - movedAt < MOVE_MS
      following.current = staysFollowing(following.current, top, scrollOf(element, byPerson))
      last.current.top = element.scrollTop
    }
    // Before the list hears of it and renders other rows: a look at the sizes then would lay all of them out once more.
    element.addEventListener('scroll', scrolled, { capture: true, passive: true })
  }, [])
  const follow = useCallback(() => {
    const element = scroller.current
    if (element && following.current) element.scrollTop = element.scrollHeight
  }, [])
  const leave = useCallback(() => {
    following.current = false
  }, [])
  const isFollowing = useCallback(() => following.current, [])
  return { setScroller, follow, leave, isFollowing }
}

function scrollOf(element: HTMLElement, byPerson: boolean): Scroll {
  const { scrollTop, scrollHeight, clientHeight } = element
  return { top: scrollTop, below: scrollHeight - clientHeight - scrollTop, byPerson }
}
