/** So many lines around them have to be there still. */
const CONTEXT = 3

/**
 * Replaces lines of one text in another that has come from it: where they stand there now, moved up or down by what has
 * changed elsewhere. Line ends and a byte order mark stay as they are.
 * @returns null when the lines, or those next to them, are not there as they were, or are there in more than one place
 */
export function replaceMovedLines(
  original: string,
  modified: string,
  { first, last, text }: { first: number; last: number; text: string },
): string | null {
  const lines = linesOf(original)
  if (first > last || last > lines.length) return null
  const from = Math.max(0, first - 1 - CONTEXT)
  const to = Math.min(lines.length, last + CONTEXT)
  const found = placeOf(modified, {
    above: lines.slice(0, from).join(''),
    wanted: lines.slice(from, to).join(''),
    below: lines.slice(to).join(''),
    isAtEnd: to - last < CONTEXT,
  })
  if (found === null) return null
  const start = found + lines.slice(from, first - 1).join('').length
  const replaced = lines.slice(first - 1, last).join('')
  return modified.slice(0, start) + inTheFormOf(replaced, text) + modified.slice(start + replaced.length)
}

interface Wanted {
  above: string
  wanted: string
  below: string
  /** Nothing may stand below it. */
  isAtEnd: boolean
}

/** Where it stands: the only place, else the one above or below which nothing has changed. */
function placeOf(text: string, { above, wanted, below, isAtEnd }: Wanted): number | null {
  if (isAtEnd) {
    const place = text.length - wanted.length
    return text.endsWith(wanted) && isLineStart(text, place) ? place : null
  }
  const place = nextPlace(text, wanted, 0)
  if (place === null) return null
  if (nextPlace(text, wanted, place + 1) === null) return place
  if (text.startsWith(above + wanted)) return above.length
  const fromEnd = text.length - below.length - wanted.length
  return text.endsWith(wanted + below) && isLineStart(text, fromEnd) ? fromEnd : null
}

function nextPlace(text: string, wanted: string, from: number): number | null {
  let place = text.indexOf(wanted, from)
  while (place > 0 && !isLineStart(text, place)) place = text.indexOf(wanted, place + 1)
  return place < 0 ? null : place
}

function isLineStart(text: string, place: number): boolean {
  return place === 0 || text[place - 1] === '\n'
}

/** The new lines with the ends, and the byte order mark, of those that they replace. */
function inTheFormOf(replaced: string, text: string): string {
  const isWindows = replaced.includes('\r\n')
  const ended = replaced.endsWith('\n') ? text : text.replace(/\n$/, '')
  const mark = replaced.startsWith('\uFEFF') && !text.startsWith('\uFEFF') ? '\uFEFF' : ''
  return mark + (isWindows ? ended.replaceAll(/\r?\n/g, '\r\n') : ended)
}

/** Each with its end; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
