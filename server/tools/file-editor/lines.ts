const NEWLINE = 10
const RETURN = 13

/** Lines as an editor counts them: a final newline ends the last line and begins none. Their line ends are left out. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** How many lines `linesOf` would give, without making them. */
export function countLines(text: string): number {
  if (text === '') return 0
  return countNewlines(text).all + (text.endsWith('\n') ? 0 : 1)
}

/** The lines from `first` to `last` (from 1, both included), as far as there are so many. */
export function linesBetween(text: string, first: number, last: number): string[] {
  const start = startOfLine(text, first)
  return linesOf(text.slice(start, startOfLine(text, last + 1, { line: first, at: start })))
}

/** Where a line (from 1) begins; the end of the text for lines that it does not have. */
export function startOfLine(text: string, line: number, known = { line: 1, at: 0 }): number {
  let { at } = known
  for (let current = known.line; current < line; current++) {
    const end = text.indexOf('\n', at)
    if (end < 0) return text.length
    at = end + 1
  }
  return at
}

/** The line end that the file uses most. */
export function lineEnd(text: string): '\n' | '\r\n' {
  const { all, windows } = countNewlines(text)
  return windows * 2 > all ? '\r\n' : '\n'
}

function countNewlines(text: string): { all: number; windows: number } {
  let all = 0
  let windows = 0
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) !== NEWLINE) continue
    all++
    if (at > 0 && text.charCodeAt(at - 1) === RETURN) windows++
  }
  return { all, windows }
}

export function withLineEnd(text: string, end: '\n' | '\r\n'): string {
  const unix = text.replaceAll('\r\n', '\n')
  return end === '\n' ? unix : unix.replaceAll('\n', '\r\n')
}

/** As `cat -n` writes it. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join('\n')
}

/** The line (from 1) in which the character is. */
export function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++
  return line
}
