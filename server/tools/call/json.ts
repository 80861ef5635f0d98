import { strictJson } from './strict-json.ts'

/** Reads JSON as models write it: in a code fence, with wrong escapes or quotes, or with something after the end. */
export function parseTolerantly(source: string): unknown {
  const text = withoutFence(source.trim())
  if (text === '') return {}
  for (const candidate of [text, strictJson(text)]) {
    const whole = tryParse(candidate)
    if (whole !== undefined) return whole
    const first = firstValue(candidate)
    const value = first === undefined ? undefined : tryParse(first)
    if (value !== undefined) return value
  }
  return undefined
}

function tryParse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

function withoutFence(text: string): string {
  return /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(text)?.[1] ?? text
}

/** The text of the first complete object or list. */
function firstValue(text: string): string | undefined {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return text.slice(0, at + 1)
  }
  return undefined
}
