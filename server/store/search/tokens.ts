/** A piece of text that is found as a whole, and where it stands in the original. */
export interface Token {
  /** Lower case, without accents. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Longer ones, such as encoded data, are found by their beginning. */
const MAX_TOKEN = 64
/** More is no name that a person wrote. */
const MAX_NAME_PARTS = 8

const PLAIN = /^[\0-\x7f]*$/
const PLAIN_WORD = /[A-Za-z0-9]+/g
const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts that are written without spaces between words; the long vowel sign of Japanese belongs to them. */
const UNSPACED =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Runs of such characters, and of others. */
const RUN =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
const NAME_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const ACCENTS = /[\u0300-\u036f]/g

/**
 * The words of a text in their order. Text without spaces becomes overlapping pairs of characters and its last character:
 * so a piece of it is a phrase of pairs, and a single character the beginning of one.
 */
export function tokensOf(text: string): Token[] {
  return wordsOf(text).flatMap(tokensOfWord)
}

/**
 * The parts of names in a text, each a sequence that is found by itself: `getUserName` is found by `user name` and by
 * `userName` too.
 */
export function namePartsOf(text: string): Token[][] {
  return wordsOf(text).flatMap(word => {
    const parts = partsOfName(word)
    const last = parts.at(-1)
    if (!last) return []
    const tails = parts.slice(1, -1).map(({ start }) => [token(text.slice(start, last.end), start, last.end)])
    return [parts, ...tails]
  })
}

/** What is stored for a text: its tokens, and after them the parts of its names. */
export function indexedForm(text: string): string {
  const names = [...new Set(wordsOf(text).flatMap(word => (NAME_BOUNDARY.test(word.text) ? [word.text] : [])))]
  return [...tokensOf(text), ...names.flatMap(name => namePartsOf(name).flat())].map(each => each.text).join(' ')
}

/** Whether it is of a script that is written without spaces between words. */
export function isUnspaced(token: string): boolean {
  return UNSPACED.test(token)
}

/** Words as they stand there. */
function wordsOf(text: string): Token[] {
  const words = PLAIN.test(text) ? PLAIN_WORD : WORD
  return Array.from(text.matchAll(words), ({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }))
}

function tokensOfWord({ text, start, end }: Token): Token[] {
  if (PLAIN.test(text)) return [{ text: text.slice(0, MAX_TOKEN).toLowerCase(), start, end }]
  return Array.from(text.matchAll(RUN), ({ 0: run, index }) =>
    isUnspaced(run)
      ? pairsOf(run, start + index)
      : [token(run, start + index, start + index + run.length)].filter(each => each.text !== ''),
  ).flat()
}

function pairsOf(run: string, start: number): Token[] {
  const characters = [...run.normalize('NFC')]
  // Only where every character kept its length do the places in the original hold.
  const isSame = characters.join('').length === run.length
  let at = start
  return characters.map((character, index) => {
    const pair = character + (characters[index + 1] ?? '')
    const from = isSame ? at : start
    at += character.length
    return { text: normalized(pair), start: from, end: isSame ? from + pair.length : start + run.length }
  })
}

/** None where the word is no name of several parts. */
function partsOfName({ text, start }: Token): Token[] {
  if (text.length > MAX_TOKEN || !NAME_BOUNDARY.test(text)) return []
  const parts = text.split(NAME_BOUNDARY)
  if (parts.length > MAX_NAME_PARTS) return []
  let at = start
  return parts.map(part => {
    at += part.length
    return token(part, at - part.length, at)
  })
}

function token(text: string, start: number, end: number): Token {
  return { text: normalized(text).slice(0, MAX_TOKEN), start, end }
}

function normalized(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  const folded = text.toLowerCase().normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
  return folded.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '')
}
