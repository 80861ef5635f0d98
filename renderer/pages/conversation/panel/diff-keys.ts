import type { KeyboardEvent } from 'react'

/** Does what a key stands for, unless it is typed into a field or is part of another shortcut. */
export function actOnKey(event: KeyboardEvent<HTMLElement>, acts: Readonly<Record<string, () => void>>): void {
  const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, [role=combobox]')
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
  const act = acts[event.key]
  if (!act) return
  event.preventDefault()
  act()
}

/** The hunk after or before the one that has the focus. */
export function focusHunk(main: HTMLElement | null, by: 1 | -1): void {
  const hunks = [...(main?.querySelectorAll<HTMLElement>('[data-hunk]') ?? [])]
  const at = hunks.indexOf(document.activeElement as HTMLElement)
  const next = hunks[at < 0 ? (by > 0 ? 0 : hunks.length - 1) : at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'start' })
}
