/** Longer texts are shown as they were written. */
const MAX_FORMATTED = 40_000
/** Up to here a long text is formatted when somebody asks for it. */
const MAX_FORMATTED_ON_REQUEST = 100_000
/** Lists, tables, links and emphasis, counted by the characters that make them. */
const MAX_MARKS = 2_500
/** Each code block is a part of the page by itself. */
const MARKS_OF_A_BLOCK = 10
/** Quotes and lists inside each other on one line. */
const MAX_DEPTH = 20

const MARKS = new Set('*_~[]`|<&!')
const LIST_ITEM = /^\s*(?:[-+*]|\d{1,9}[.)])(?:\s|$)/
const FENCE = /^(?:`{3,}[^`]*|~{3,}.*)$/

/**
 * Whether Markdown can be formatted without holding up the window. A parser of Markdown takes more time than its text is
 * long where marks stand inside each other, and runs out of stack where they do so very often; so they are counted first.
 * `long`: the text is only long. `complex`: it is not to be formatted at all.
 */
export function markdownCost(text: string): 'low' | 'long' | 'complex' {
  if (text.length > MAX_FORMATTED_ON_REQUEST) return 'complex'
  return isComplex(text) ? 'complex' : text.length > MAX_FORMATTED ? 'long' : 'low'
}

function isComplex(text: string): boolean {
  let marks = 0
  let fence: string | null = null
  let mayBeCode = true
  for (const line of text.split('\n')) {
    if (fence !== null) {
      if (
        line.startsWith(fence) &&
        line
          .slice(fence.length)
          .trim()
          .replaceAll(fence[0] ?? '', '') === ''
      )
        fence = null
      continue
    }
    // In HTML a fence is none, and where HTML ends only the parser knows.
    if (line.trimStart().startsWith('<')) mayBeCode = false
    if (mayBeCode && FENCE.test(line)) {
      fence = /^(?:`+|~+)/.exec(line)?.[0] ?? null
      marks += MARKS_OF_A_BLOCK
      continue
    }
    marks += marksOf(line) + (LIST_ITEM.test(line) ? 2 : 0)
    if (marks > MAX_MARKS || depthOf(line) > MAX_DEPTH) return true
  }
  return false
}

function marksOf(line: string): number {
  let marks = 0
  for (const char of line) if (MARKS.has(char)) marks++
  return marks
}

/** How many quotes and list items begin with this line. */
function depthOf(line: string): number {
  let depth = 0
  const markers = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y
  while (markers.test(line) && depth <= MAX_DEPTH) depth++
  return depth
}
