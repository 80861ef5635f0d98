/**
 * File name patterns as shells and ripgrep know them: `*`, `?`, `[a-z]`, `{a,b}` and `**`. Matching takes time in
 * proportion to pattern and path, whatever the model writes: no regular expression is made of it.
 */

/** Braces multiply; a pattern that stands for more than this is taken literally from there on. */
const MOST_ALTERNATIVES = 128

export interface GlobPattern {
  /** @param path relative, with `/` between the names */
  matches(path: string): boolean
  /** Names that begin with a dot are asked for. */
  readonly hidden: boolean
}

/** Without a slash, the pattern is for the file's name wherever it is; with one, for the whole path. */
export function globPattern(source: string): GlobPattern {
  const wanted = source.startsWith('!') ? source.slice(1) : source
  const alternatives = expandBraces(wanted.replace(/^(\.?\/)+/, '')).map(each => {
    const segments = each.split('/').filter(segment => segment !== '')
    if (each.endsWith('/')) segments.push('**')
    return segments.length === 1 && !wanted.includes('/') ? ['**', ...segments] : segments
  })
  const hidden = alternatives.some(segments => segments.some(segment => segment.startsWith('.')))
  const compiled = alternatives.map(segments =>
    segments.map(segment => (segment === '**' ? 'deep' : tokensOf(segment))),
  )
  const some = (path: string) => {
    const names = path.split('/').map(name => [...name])
    return compiled.some(segments => matchSegments(segments, names))
  }
  return { hidden, matches: path => some(path) !== source.startsWith('!') }
}

/** Which of the names are matched up to each segment: one row of a table, segment by segment. */
function matchSegments(segments: readonly (Token[] | 'deep')[], names: readonly string[][]): boolean {
  let reached = names.map(() => false)
  let atStart = true
  const last = names.length - 1
  const end = () => (last < 0 ? atStart : (reached[last] ?? false))
  for (const segment of segments) {
    const before = (index: number) => (index === 0 ? atStart : (reached[index - 1] ?? false))
    if (segment === 'deep') {
      let open = atStart
      reached = names.map((_, index) => {
        open = open || (reached[index] ?? false)
        return open
      })
      continue
    }
    reached = names.map((name, index) => before(index) && matchName(segment, name))
    atStart = false
  }
  return end()
}

interface Token {
  kind: 'one' | 'many' | 'char'
  test: (char: string) => boolean
}

/** One name; going back to the last `*` alone is enough, so this never takes more than pattern × name steps. */
function matchName(tokens: readonly Token[], chars: readonly string[]): boolean {
  let token = 0
  let at = 0
  let star = -1
  let resume = 0
  while (at < chars.length) {
    const current = tokens[token]
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
  while (tokens[token]?.kind === 'many') token++
  return token === tokens.length
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  const chars = [...pattern]
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? ''
    const close = char === '[' ? chars.indexOf(']', at + (/[!^]/.test(chars[at + 1] ?? '') ? 3 : 2)) : -1
    if (char === '*') tokens.push({ kind: 'many', test: () => true })
    else if (char === '?') tokens.push({ kind: 'one', test: () => true })
    else if (close > 0) {
      tokens.push({ kind: 'char', test: charClass(chars.slice(at + 1, close)) })
      at = close
    } else {
      const literal = char === '\\' && at + 1 < chars.length ? chars[++at] : char
      tokens.push({ kind: 'char', test: each => each === literal })
    }
  }
  return tokens
}

function charClass(inside: string[]): Token['test'] {
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

function expandBraces(pattern: string): string[] {
  let open = [pattern]
  const done: string[] = []
  while (open.length > 0) {
    const next: string[] = []
    for (const each of open) {
      const brace = firstBrace(each)
      if (!brace || done.length + open.length + next.length > MOST_ALTERNATIVES) done.push(each)
      else next.push(...brace.options.map(option => brace.before + option + brace.after))
    }
    open = next
  }
  return done
}

/** The first `{…}` that holds a comma, with what stands inside divided at its own commas. */
function firstBrace(pattern: string): { before: string; options: string[]; after: string } | undefined {
  for (let start = pattern.indexOf('{'); start >= 0; start = pattern.indexOf('{', start + 1)) {
    let depth = 0
    let from = start + 1
    const options: string[] = []
    for (let at = start; at < pattern.length; at++) {
      const char = pattern[at]
      if (char === '{') depth++
      else if (char === ',' && depth === 1) {
        options.push(pattern.slice(from, at))
        from = at + 1
      } else if (char === '}' && --depth === 0) {
        options.push(pattern.slice(from, at))
        if (options.length > 1) return { before: pattern.slice(0, start), options, after: pattern.slice(at + 1) }
        break
      }
    }
  }
  return undefined
}
