/** Splits as a shell does: blanks part words, quotes and backslashes keep them together. An open quote ends with the text. */
export function shellWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (quote) {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"' && /["\\$`]/.test(text.charAt(at + 1))) word += text.charAt(++at)
      else word += char
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else {
      word = (word ?? '') + (char === '\\' ? text.charAt(++at) : char)
    }
  }
  if (word !== undefined) words.push(word)
  return words
}
