import type { Term } from './query.ts'
import { isUnspaced, namePartsOf, type Token, tokensOf } from './tokens.ts'

/** In UTF-16 code units; `end` is the first one after it. */
export interface Range {
  start: number
  end: number
}

export interface Snippet {
  text: string
  matches: Range[]
}

const SNIPPET_CHARACTERS = 200
/** What stands before the first match. */
const LEAD_CHARACTERS = 50
const MAX_MATCHES = 20

/** The part of a text around its first match, in one line, and where the matches are in it. */
export function snippetOf(text: string, terms: readonly Term[]): Snippet {
  const matches = matchesIn(text, terms)
  const first = matches[0]?.start ?? 0
  const from = text.length <= SNIPPET_CHARACTERS ? 0 : wordStart(text, first - LEAD_CHARACTERS)
  const to = wordEnd(text, from + SNIPPET_CHARACTERS)
  const [head, tail] = [from > 0 ? '…' : '', to < text.length ? '…' : '']
  const shift = head.length - from
  return {
    // One character for one, so that the places hold.
    text: head + text.slice(from, to).replace(/\s/g, ' ') + tail,
    matches: matches
      .filter(({ start, end }) => start >= from && end <= to)
      .slice(0, MAX_MATCHES)
      .map(({ start, end }) => ({ start: start + shift, end: end + shift })),
  }
}

/** In their order, without overlap. */
export function matchesIn(text: string, terms: readonly Term[]): Range[] {
  const sequences = [tokensOf(text), ...namePartsOf(text)]
  const found = terms
    .flatMap(term => sequences.flatMap(tokens => occurrences(tokens, term)))
    .sort((one, other) => one.start - other.start || other.end - one.end)
  const apart: Range[] = []
  for (const range of found) {
    const last = apart.at(-1)
    if (last && range.start < last.end) last.end = Math.max(last.end, range.end)
    else apart.push({ ...range })
  }
  return apart
}

function occurrences(tokens: readonly Token[], term: Term): Range[] {
  const last = term.tokens.length - 1
  return tokens.flatMap((first, index) => {
    const isThere = term.tokens.every((wanted, place) => {
      const text = tokens[index + place]?.text
      return place === last && term.isPrefix ? text?.startsWith(wanted) : text === wanted
    })
    const end = tokens[index + last]
    return isThere && end ? [{ start: first.start, end: endOf(end, term) }] : []
  })
}

/** Of a pair that was looked for by its first character, that character. */
function endOf({ start, end }: Token, { tokens, isPrefix }: Term): number {
  const wanted = tokens.at(-1) ?? ''
  return isPrefix && isUnspaced(wanted) ? start + wanted.length : end
}

function wordStart(text: string, near: number): number {
  if (near <= 0) return 0
  const space = text.slice(near, near + LEAD_CHARACTERS / 2).search(/\s/)
  return outsideOfPair(text, space < 0 ? near : near + space + 1)
}

function wordEnd(text: string, near: number): number {
  if (near >= text.length) return text.length
  const space = text.slice(near - LEAD_CHARACTERS / 2, near).search(/\s\S*$/)
  return outsideOfPair(text, space < 0 ? near : near - LEAD_CHARACTERS / 2 + space)
}

/** Not between the halves of a surrogate pair. */
function outsideOfPair(text: string, index: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(index, index + 1)) ? index - 1 : index
}
