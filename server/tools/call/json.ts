/** Reads JSON as models write it: with raw control characters in strings, or with something after the end. */
export function parseTolerantly(source: string): unknown {
  const text = withoutFence(source.trim())
  if (text === '') return {}
  for (const candidate of [text, escapeControls(text)]) {
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

const CONTROL_NAMES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

function escapeControls(text: string): string {
  let result = ''
  for (const { char, inString } of scan(text)) {
    const code = char.charCodeAt(0)
    result += inString && code < 0x20 ? (CONTROL_NAMES[char] ?? `\\u${code.toString(16).padStart(4, '0')}`) : char
  }
  return result
}

/** The text of the first complete object or list. */
function firstValue(text: string): string | undefined {
  let depth = 0
  let at = 0
  for (const { char, inString } of scan(text)) {
    at += char.length
    if (inString) continue
    if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return text.slice(0, at)
  }
  return undefined
}

/** Each character, and whether it is inside a string; the quotes themselves are not. */
function* scan(text: string): Generator<{ char: string; inString: boolean }> {
  let inString = false
  let escaped = false
  for (const char of text) {
    if (inString && !escaped && char === '"') {
      inString = false
      yield { char, inString: false }
      continue
    }
    yield { char, inString }
    if (inString) escaped = !escaped && char === '\\'
    else if (char === '"') inString = true
  }
}
