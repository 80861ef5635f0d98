/**
 * Makes JSON of what is nearly JSON, where only one thing can be meant: raw control characters in strings, escapes that
 * JSON does not have (`\d`, `\'`, `\x41`), single quotes, `True`, `False` and `None`, a comma before a closing bracket.
 */
export function strictJson(text: string): string {
  let result = ''
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? ''
    if (char === '"' || char === "'") {
      const { json, next } = readString(text, at)
      result += json
      at = next
      continue
    }
    const word = /^(?:True|False|None)\b/.exec(text.slice(at, at + 6))?.[0]
    if (word) {
      result += WORDS[word]
      at += word.length
      continue
    }
    const closing = char === ',' && /^,\s*[}\]]/.test(text.slice(at, at + 100))
    if (!closing) result += char
    at++
  }
  return result
}

const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' }

/** @returns the string in JSON and where the text goes on; a string that does not end stays open */
function readString(text: string, start: number): { json: string; next: number } {
  const quote = text[start]
  let json = '"'
  for (let at = start + 1; at < text.length; ) {
    const char = text[at] ?? ''
    if (char === quote) return { json: `${json}"`, next: at + 1 }
    if (char === '\\') {
      const { written, length } = readEscape(text, at)
      json += written
      at += length
      continue
    }
    json += char === '"' || char < ' ' ? JSON.stringify(char).slice(1, -1) : char
    at++
  }
  return { json, next: text.length }
}

function readEscape(text: string, at: number): { written: string; length: number } {
  const next = text[at + 1] ?? ''
  if (next === "'") return { written: "'", length: 2 }
  if (next !== '' && '"\\/bfnrt'.includes(next)) return { written: `\\${next}`, length: 2 }
  if (/^u[\da-f]{4}/i.test(text.slice(at + 1, at + 6)))
    return { written: `\\u${text.slice(at + 2, at + 6)}`, length: 6 }
  const code = /^x([\da-f]{2})/i.exec(text.slice(at + 1, at + 4))?.[1]
  if (code) return { written: `\\u00${code}`, length: 4 }
  // A backslash that was not doubled, as in a regular expression.
  return { written: '\\\\', length: 1 }
}
