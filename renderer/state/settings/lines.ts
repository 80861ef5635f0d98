/** Those of a field that are not blank, as they are typed. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter(line => line.trim() !== '')
}

/** One name a line. */
export function namesOf(text: string): string[] {
  return linesOf(text).map(line => line.trim())
}
