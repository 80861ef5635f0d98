/** One word of a POSIX shell, whatever is in it but NUL, which no word can hold. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`
}
