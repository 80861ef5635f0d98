import { type FocusEvent, type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Whether a row of the timeline, or a menu or dialog that was opened from it, has the focus. The keyboard scrolls the list that the
 * row is in: the list gets the focus when the row is clicked, and when the row that has it scrolls out of the page.
 */
export function useFocusWithin(row: RefObject<HTMLElement | null>) {
  const [isFocused, setFocused] = useState(false)
  useLayoutEffect(() => {
    const element = row.current
    const list = element && listOf(element)
    return () => {
      if (element?.contains(document.activeElement)) list?.focus({ preventScroll: true })
    }
  }, [row])
  return {
    isFocused,
    onFocus: ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
      const isClicked = target === currentTarget && !target.matches(':focus-visible')
      if (isClicked) listOf(currentTarget)?.focus({ preventScroll: true })
      else setFocused(true)
    },
    onBlur: ({ currentTarget, target, relatedTarget }: FocusEvent<HTMLElement>) => {
      // When the window loses the focus, its element keeps it.
      if (target === document.activeElement) return
      setFocused(currentTarget.contains(relatedTarget) || isInPopup(relatedTarget))
    },
  }
}

function listOf(row: Element): HTMLElement | null {
  return row.closest<HTMLElement>('[data-virtuoso-scroller]')
}

function isInPopup(element: Element | null): boolean {
  return Boolean(element?.closest('[data-base-ui-portal]'))
}
