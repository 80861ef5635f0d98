import { BOUNDS } from '../../domain/bounds.ts'
import { isUnspaced, type Token, tokensOf } from './tokens.ts'

/** Tokens that stand one after the other; the last one may go on when it is a prefix. */
export interface Term {
  readonly tokens: readonly string[]
  readonly isPrefix: boolean
}

/** What a person looks for. INVARIANT: terms have at least one token, and tokens consist of letters and digits alone. */
export interface Query {
  readonly terms: readonly Term[]
  readonly excluded: readonly Term[]
}

/** A phrase, whose second quotation mark may be still to come, or what stands between spaces. */
const PIECE = /(?<minus>-?)"(?<phrase>[^"]*)(?<end>"?)|(?<word>[^\s"]+)/g

/**
 * Reads what a person typed: all words are looked for, the last one also as the beginning of a word; `"quoted words"`
 * stand together; `-word` excludes. A word such as `src/parser.ts` is its parts, one after the other. Never throws.
 */
export function parseQuery(text: string): Query {
  const pieces = [...text.matchAll(PIECE)]
  const found = pieces.flatMap(piece => {
    const { minus, phrase, word = '' } = piece.groups ?? {}
    const excludes = minus === '-' || /^-[^-]/.test(word)
    const isLast = piece.index + piece[0].length === text.length
    const term = termOf(phrase ?? word, isLast && phrase === undefined && !excludes)
    return term ? [{ term, excludes }] : []
  })
  const kept = found.slice(0, BOUNDS.searchTerms.limit)
  return {
    terms: kept.flatMap(({ term, excludes }) => (excludes ? [] : [term])),
    excluded: kept.flatMap(({ term, excludes }) => (excludes ? [term] : [])),
  }
}

function termOf(text: string, isTyped: boolean): Term | undefined {
  const tokens = tokensOf(text)
  const last = tokens.at(-1)
  // In the text it may go on after the last pair.
  const kept = last && isTailOf(last, tokens.at(-2)) ? tokens.slice(0, -1) : tokens
  const phrase = kept.map(token => token.text)
  if (!last || phrase.length === 0) return undefined
  // One character of text without spaces is the beginning of a pair.
  const isSingle = phrase.length === tokens.length && isUnspaced(last.text) && [...last.text].length === 1
  return { tokens: phrase, isPrefix: isSingle || (isTyped && !isUnspaced(last.text)) }
}

/** The last character of text without spaces, which the pair before it has already. */
function isTailOf({ start, end }: Token, before: Token | undefined): boolean {
  return before !== undefined && start > before.start && end <= before.end
}

/**
 * The query in the words of FTS5; undefined when there is nothing to look for.
 * @param groups of further tokens, of each of which one must be there
 */
export function matchExpression(
  { terms, excluded }: Query,
  groups: readonly (readonly string[])[],
): string | undefined {
  if (terms.length === 0) return undefined
  const all = [...groups.map(tokens => `(${tokens.map(quoted).join(' OR ')})`), ...terms.map(expressionOf)].join(
    ' AND ',
  )
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.map(expressionOf).join(' OR ')})`
}

function expressionOf({ tokens, isPrefix }: Term): string {
  return `${quoted(tokens.join(' '))}${isPrefix ? ' *' : ''}`
}

function quoted(text: string): string {
  return `"${text}"`
}
