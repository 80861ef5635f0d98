/** Shortens text to `limit` characters; its end is left out, and `…` says so. */
export function clipEnd(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text
}

/**
 * Shortens text to `limit` characters: the beginning and the end stay, the notice stands between them.
 * @returns the text, and the line at which the left-out part begins when there is one
 */
export function clipMiddle(text: string, limit: number, notice: (line: number) => string): string {
  if (text.length <= limit) return text
  const estimate = notice(text.length)
  if (estimate.length >= limit) return estimate.slice(0, limit)
  const room = limit - estimate.length
  const head = text.slice(0, Math.ceil(room / 2))
  const clipped = notice(head.split('\n').length)
  const tail = limit - head.length - clipped.length
  return head + clipped + text.slice(text.length - tail)
}
