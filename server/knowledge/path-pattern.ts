const MOST_ALTERNATIVES = 64

/**
 * Whether a path (relative, with slashes) matches a glob: `*` and `?` inside a name, `**` for any folders, `[a-c]`,
 * `{a,b}`. A pattern without a slash means a name in any folder. No regular expressions: a pattern comes with the
 * repository, and must not be able to take time.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const names = path.split('/').filter(name => name !== '' && name !== '.')
  return alternatives(pattern.trim().replace(/^\.?\//, '')).some(alternative => {
    const parts = alternative.split('/').filter(part => part !== '')
    if (parts.length === 0) return false
    const anywhere = !alternative.includes('/')
    return matchesNames(anywhere ? ['**', ...parts] : alternative.endsWith('/') ? [...parts, '**'] : parts, names)
  })
}

/** Which prefixes of the names the parts so far can stand for, part by part. */
function matchesNames(parts: readonly string[], names: readonly string[]): boolean {
  let reached = new Set([0])
  for (const part of parts) {
    if (part === '**') {
      reached = onwards(reached, names.length)
      continue
    }
    const next = new Set<number>()
    for (const at of reached) {
      const name = names[at]
      if (name !== undefined && matchesName(part, name)) next.add(at + 1)
    }
    reached = next
  }
  return reached.has(names.length)
}

/** From the first of them to the end. */
function onwards(reached: ReadonlySet<number>, end: number): Set<number> {
  const all = new Set<number>()
  for (let at = Math.min(...reached, end + 1); at <= end; at++) all.add(at)
  return all
}

/** The same, character by character: linear in the product of both lengths. */
function matchesName(part: string, name: string): boolean {
  let reached = new Set([0])
  for (const { length, accepts, repeats } of pieces(part)) {
    if (repeats) {
      reached = onwards(reached, name.length)
      continue
    }
    const next = new Set<number>()
    for (const at of reached) {
      if (at + length <= name.length && accepts(name.charAt(at))) next.add(at + length)
    }
    reached = next
    if (reached.size === 0) return false
  }
  return reached.has(name.length)
}

interface Piece {
  length: number
  repeats: boolean
  accepts: (character: string) => boolean
}

function pieces(part: string): Piece[] {
  const found: Piece[] = []
  for (let at = 0; at < part.length; at++) {
    const character = part.charAt(at)
    const close = character === '[' ? part.indexOf(']', at + 2) : -1
    if (character === '*') found.push({ length: 0, repeats: true, accepts: () => true })
    else if (character === '?') found.push({ length: 1, repeats: false, accepts: () => true })
    else if (close > 0) {
      found.push({ length: 1, repeats: false, accepts: inSet(part.slice(at + 1, close)) })
      at = close
    } else found.push({ length: 1, repeats: false, accepts: other => other === character })
  }
  return found
}

function inSet(text: string): (character: string) => boolean {
  const negated = /^[!^]/.test(text)
  const set = negated ? text.slice(1) : text
  const holds = (character: string) => {
    for (let at = 0; at < set.length; at++) {
      if (set.charAt(at + 1) === '-' && at + 2 < set.length) {
        if (set.charAt(at) <= character && character <= set.charAt(at + 2)) return true
        at += 2
      } else if (set.charAt(at) === character) return true
    }
    return false
  }
  return character => holds(character) !== negated
}

/** `a{b,c}` as `ab` and `ac`. More than a few are taken as they are written. */
function alternatives(pattern: string): string[] {
  let found = [pattern]
  for (;;) {
    const index = found.findIndex(each => /\{[^{}]*\}/.test(each))
    const each = found[index]
    if (each === undefined || found.length > MOST_ALTERNATIVES) return found
    const match = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(each)
    if (!match) return found
    const [, before = '', inside = '', after = ''] = match
    found = found.toSpliced(index, 1, ...inside.split(',').map(choice => before + choice + after))
  }
}
