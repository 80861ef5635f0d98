import { BOUNDS } from '../domain/bounds.ts'

/** Whether lists and objects stand in each other deeper than any tool takes them: whoever walks such a value would run out of stack. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  for (const { char } of brackets(text)) {
    depth += char === '{' || char === '[' ? 1 : -1
    if (depth > BOUNDS.argumentDepth.limit) return true
  }
  return false
}

/** The brackets of lists and objects, without those in strings. */
export function* brackets(text: string): Generator<{ char: string; at: number }> {
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[' || char === '}' || char === ']') yield { char, at }
  }
}
