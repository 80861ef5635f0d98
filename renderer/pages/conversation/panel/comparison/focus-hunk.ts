/** The hunk after or before the one that has the focus. */
export function focusHunk(main: HTMLElement | null, by: 1 | -1): void {
  const hunks = [...(main?.querySelectorAll<HTMLElement>('[data-hunk]') ?? [])]
  const at = hunks.indexOf(document.activeElement as HTMLElement)
  const next = hunks[at < 0 ? (by > 0 ? 0 : hunks.length - 1) : at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'start' })
}
