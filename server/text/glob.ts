/**
 * Shell patterns without regular expressions: `*`, `?` and `[a-z]` in a name, `**` for any folders, `{a,b}`. They come from
 * models and repositories, and none of them can be made to take more time than pattern and path are long, multiplied.
 */

/** One name of a pattern, ready to be matched. */
export type NamePattern = readonly Token[]

interface Token {
  kind: 'one' | 'many'
  test: (char: string) => boolean
}

const ANY = () => true

/** @param options `escapes`: a backslash takes the next character literally; `anyBracket`: a list stands for any character */
export function namePattern(pattern: string, options: { escapes?: boolean; anyBracket?: boolean } = {}): NamePattern {
  const tokens: Token[] = []
  const chars = [...pattern]
  // Without a closing bracket here there is none further on either.
  let mayClose = true
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? ''
    const first = at + (/[!^]/.test(chars[at + 1] ?? '') ? 3 : 2)
    const close = char === '[' && mayClose ? chars.indexOf(']', first) : -1
    if (char === '[' && close < 0) mayClose = false
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'many') tokens.push({ kind: 'many', test: ANY })
    } else if (char === '?') tokens.push({ kind: 'one', test: ANY })
    else if (close > 0) {
      tokens.push({ kind: 'one', test: options.anyBracket ? ANY : charClass(chars.slice(at + 1, close)) })
      at = close
    } else {
      const literal = options.escapes && char === '\\' && at + 1 < chars.length ? chars[++at] : char
      tokens.push({ kind: 'one', test: each => each === literal })
    }
  }
  return tokens
}

function charClass(inside: readonly string[]): Token['test'] {
  const negated = inside[0] === '!' || inside[0] === '^'
  const members = negated ? inside.slice(1) : inside
  const ranges: [string, string][] = []
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? ''
    const isRange = members[at + 1] === '-' && at + 2 < members.length
    ranges.push([from, isRange ? (members[at + 2] ?? from) : from])
    if (isRange) at += 2
  }
  return char => ranges.some(([from, to]) => from <= char && char <= to) !== negated
}

/** Going back to the last `*` alone is enough, so this never takes more than pattern × name steps. */
export function matchesName(pattern: NamePattern, chars: readonly string[]): boolean {
  let token = 0
  let at = 0
  let star = -1
  let resume = 0
  while (at < chars.length) {
    const current = pattern[token]
    if (current?.kind === 'many') {
      star = token++
      resume = at
    } else if (current?.test(chars[at] ?? '')) {
      token++
      at++
    } else if (star >= 0) {
      token = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[token]?.kind === 'many') token++
  return token === pattern.length
}

/** A pattern for a whole path, name by name. */
export type PathPattern = readonly (NamePattern | 'deep')[]

/** Whether a pattern stands for the whole path, of which these are the characters of each name. */
export function matchesPathNames(pattern: PathPattern, names: readonly (readonly string[])[]): boolean {
  return matchesParts(pattern, names, matchesName)
}

/** Which of the names are matched up to each part: one row of a table, part by part. `deep` is any number of names. */
export function matchesParts<Part, Name>(
  parts: readonly (Part | 'deep')[],
  names: readonly Name[],
  isNamed: (part: Part, name: Name) => boolean,
): boolean {
  let reached = names.map(() => false)
  let atStart = true
  for (const part of parts) {
    if (part === 'deep') {
      let open = atStart
      reached = reached.map(each => {
        open ||= each
        return open
      })
      continue
    }
    const before = reached
    reached = names.map(
      (name, index) => (index === 0 ? atStart : before[index - 1]) === true && isNamed(part as Part, name),
    )
    atStart = false
    if (!reached.includes(true)) return false
  }
  return names.length === 0 ? atStart : reached.at(-1) === true
}

/**
 * What `a{b,c}` stands for, nested ones too. A brace that holds no comma or is never closed stays as it is
 * written; so do those that come after there are more than `limit` patterns.
 */
export function expandBraces(pattern: string, limit: number): string[] {
  let open = [pattern]
  const done: string[] = []
  while (open.length > 0) {
    const next: string[] = []
    for (const each of open) {
      const brace = firstBrace(each)
      if (!brace || done.length + open.length + next.length > limit) done.push(each)
      else next.push(...brace.options.map(option => brace.before + option + brace.after))
    }
    open = next
  }
  return done
}

/** The first `{…}` that holds a comma, with what stands inside divided at its own commas. */
function firstBrace(pattern: string): { before: string; options: string[]; after: string } | undefined {
  const closings = closingBraces(pattern)
  for (let start = pattern.indexOf('{'); start >= 0; start = pattern.indexOf('{', start + 1)) {
    const end = closings.get(start)
    if (end === undefined) continue
    const options = divided(pattern.slice(start + 1, end))
    if (options.length > 1) return { before: pattern.slice(0, start), options, after: pattern.slice(end + 1) }
  }
  return undefined
}

/** Where the brace that opens at a place is closed. */
function closingBraces(pattern: string): Map<number, number> {
  const open: number[] = []
  const closings = new Map<number, number>()
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '{') open.push(at)
    else if (pattern[at] === '}') {
      const start = open.pop()
      if (start !== undefined) closings.set(start, at)
    }
  }
  return closings
}

function divided(inside: string): string[] {
  const options: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < inside.length; at++) {
    const char = inside[at]
    if (char === '{') depth++
    else if (char === '}') depth--
    else if (char === ',' && depth === 0) {
      options.push(inside.slice(from, at))
      from = at + 1
    }
  }
  return [...options, inside.slice(from)]
}
