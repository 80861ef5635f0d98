/** The lines of what a program printed that have the words, whatever their case; all of them without words. */
export function printedLines(text: string, words: string): string[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const wanted = words.trim().toLowerCase()
  if (text === '') return []
  return wanted === '' ? lines : lines.filter(line => line.toLowerCase().includes(wanted))
}
