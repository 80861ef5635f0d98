import { BOUNDS } from '../domain/bounds.ts'

/** Why a JSON text is not even parsed. */
export type JsonProblem = 'too deep' | 'too many values'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const OPENING_BRACE = 0x7b
const CLOSING_BRACKET = 0x5d
const CLOSING_BRACE = 0x7d

/**
 * Counts levels and values of a JSON text in one pass, without a tree: what is nested too deep ends whoever walks through
 * it, and each value costs a check. Text that is no JSON is left to the parser.
 */
export function problemOfJson(text: Buffer, maxValues: number = BOUNDS.jsonValues.limit): JsonProblem | undefined {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0
    if (byte === QUOTE) {
      at = endOfString(text, at)
    } else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      if (++depth > BOUNDS.jsonDepth.limit) return 'too deep'
      values++
    } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) {
      depth--
    } else if (byte === COMMA) {
      values++
    }
    if (values > maxValues) return 'too many values'
  }
  return undefined
}

/** Where the string ends that begins at `start`. */
function endOfString(text: Buffer, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf(QUOTE, at + 1)
    if (at === -1) return text.length
    let escapes = 0
    while (text[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
}

/** The same of a value that is parsed already, level by level. */
export function problemOfValue(value: unknown): JsonProblem | undefined {
  let values = 0
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length
    if (values > BOUNDS.jsonValues.limit) return 'too many values'
    const holders = level.filter(isHolder)
    if (holders.length > 0 && depth >= BOUNDS.jsonDepth.limit) return 'too deep'
    level = holders.flatMap(holder => Object.values(holder))
  }
  return undefined
}

/** Bytes of an attachment are one value. */
function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}

/** In words, for whoever sent it. */
export function describeJsonProblem(problem: JsonProblem, maxValues: number = BOUNDS.jsonValues.limit): string {
  return problem === 'too deep'
    ? `JSON nested deeper than ${BOUNDS.jsonDepth.limit} levels`
    : `JSON with more than ${maxValues} values`
}
