import type { ReactNode } from 'react'
import { useFocusHeir } from '../../ui/focus-heir.ts'

/** One of what is attached to a message. With it goes its button; the focus stays among the others, or goes to the text. */
export function AttachedChip({ className, children }: { className: string; children: ReactNode }) {
  const own = useFocusHeir<HTMLLIElement>(heirOf)
  return (
    <li ref={own} className={className}>
      {children}
    </li>
  )
}

/** The list stands beside the text. */
function heirOf({ nextElementSibling, previousElementSibling, parentElement }: HTMLLIElement): HTMLElement | null {
  const beside = nextElementSibling ?? previousElementSibling
  return lastButtonIn(beside) ?? parentElement?.parentElement?.querySelector('textarea') ?? null
}

export function lastButtonIn(place: Element | null): HTMLElement | undefined {
  return [...(place?.querySelectorAll('button') ?? [])].at(-1)
}
