import { brackets, isTooDeep } from '../../text/brackets.ts'
import { strictJson } from './strict-json.ts'

/** Reads JSON as models write it: in a code fence, with wrong escapes or quotes, or with something after the end. What is nested too deep is not read. */
export function parseTolerantly(source: string): unknown {
  const text = withoutFence(source.trim())
  if (text === '') return {}
  if (isTooDeep(text)) return undefined
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
  if (text.length < 2 * FENCE.length || !text.startsWith(FENCE) || !text.endsWith(FENCE)) return text
  const inside = text.slice(FENCE.length, -FENCE.length)
  return (inside.startsWith('json') ? inside.slice('json'.length) : inside).trim()
}

const FENCE = '```'

/** The text of the first complete object or list. */
function firstValue(text: string): string | undefined {
  let depth = 0
  for (const { char, at } of brackets(text)) {
    if (char === '{' || char === '[') depth++
    else if (--depth === 0) return text.slice(0, at + 1)
  }
  return undefined
}
