/** Lines as an editor counts them: a final newline ends the last line and begins none. Their line ends are left out. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The line end that the file uses most. */
export function lineEnd(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1
  const windows = text.split('\r\n').length - 1
  return windows * 2 > all ? '\r\n' : '\n'
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
