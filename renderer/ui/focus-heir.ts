import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

/**
 * For what may go away while the focus is in it, as with its own button: the focus goes to what `heir` finds instead of to the
 * beginning of the page.
 */
export function useFocusHeir<Own extends HTMLElement>(
  heir: (own: Own) => HTMLElement | null | undefined,
): RefObject<Own | null> {
  const own = useRef<Own>(null)
  const hand = useEffectEvent((left: Own) => heir(left)?.focus())
  useLayoutEffect(() => {
    const element = own.current
    // Effects end before what they belong to is taken off the page.
    return () => {
      if (element?.contains(document.activeElement)) hand(element)
    }
  }, [])
  return own
}
