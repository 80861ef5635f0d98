const MAX_ALTERNATIVES = 64

/** What `a{b,c}{1..3}` stands for, as source texts; null when that is too much. Quoted and escaped braces stay. */
export function expandBraces(source: string): string[] | null {
  let texts = [source]
  for (let round = 0; round < MAX_ALTERNATIVES; round++) {
    let changed = false
    const next: string[] = []
    for (const text of texts) {
      const split = splitFirst(text)
      if (split) changed = true
      next.push(...(split ?? [text]))
      if (next.length > MAX_ALTERNATIVES) return null
    }
    texts = next
    if (!changed) return texts
  }
  return null
}

function splitFirst(text: string): string[] | null {
  for (const open of outside(text, '{')) {
    if (text[open - 1] === '$') continue
    const found = alternativesAt(text, open)
    if (found) return found.alternatives.map(each => text.slice(0, open) + each + text.slice(found.end))
  }
  return null
}

function alternativesAt(text: string, open: number): { alternatives: string[]; end: number } | null {
  let depth = 0
  const cuts = [open]
  for (const at of outside(text, '{},', open)) {
    const char = text[at]
    if (char === '{') depth++
    else if (char === ',' && depth === 1) cuts.push(at)
    else if (char === '}' && --depth === 0) {
      const inside = text.slice(open + 1, at)
      if (cuts.length === 1) return rangeOf(inside, at + 1)
      return {
        alternatives: [...cuts, at].slice(1).map((end, index) => text.slice((cuts[index] ?? 0) + 1, end)),
        end: at + 1,
      }
    }
  }
  return null
}

/** Of numbers the first and the last stand for all; letters are spelled out. */
function rangeOf(inside: string, end: number): { alternatives: string[]; end: number } | null {
  const numbers = /^(-?\d+)\.\.(-?\d+)(\.\.-?\d+)?$/.exec(inside)
  if (numbers) return { alternatives: [numbers[1] ?? '', numbers[2] ?? ''], end }
  const letters = /^([A-Za-z])\.\.([A-Za-z])(\.\.-?\d+)?$/.exec(inside)
  if (!letters) return null
  const [from, to] = [letters[1] ?? 'a', letters[2] ?? 'a'].map(letter => letter.charCodeAt(0)).sort((a, b) => a - b)
  if (from === undefined || to === undefined) return null
  return { alternatives: Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index)), end }
}

/** Positions of characters that stand outside quotes, escapes and substitutions. */
function* outside(text: string, wanted: string, start = 0): Generator<number> {
  let quote = ''
  let parens = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\\' && quote !== "'") at++
    else if (quote) quote = char === quote ? '' : quote
    else if (char === "'" || char === '"' || char === '`') quote = char
    else if (char === '(') parens++
    else if (char === ')') parens--
    else if (parens === 0 && wanted.includes(char)) yield at
  }
}
