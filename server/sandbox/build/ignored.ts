import { posix } from 'node:path'

const MAX_LINES = 200
const MAX_SEGMENTS = 20
/** One `*` at most: what a repository wrote costs time in proportion to the path alone. */
const SEGMENT = /^[^*?[\\]*\*?[^*?[\\]*$/

interface Rule {
  takesIn: boolean
  /** Whether it is meant in any folder, as with `**` at its beginning. */
  isAnywhere: boolean
  segments: readonly string[]
}

/**
 * Reads a `.dockerignore`, of which the last pattern that a path or a folder above it matches decides. Patterns with more than
 * one `*` between two slashes, with `?` or with a class are passed over; where such a one takes something in again, nothing is
 * left out. https://docs.docker.com/build/concepts/context/#dockerignore-files
 * @returns whether a path of the build context is left out
 */
export function ignoredBy(text: string): (path: string) => boolean {
  const rules: Rule[] = []
  for (const line of text.split('\n').slice(0, MAX_LINES)) {
    const takesIn = line.startsWith('!')
    const rule = ruleOf((takesIn ? line.slice(1) : line).trim())
    if (rule === null || line.startsWith('#')) continue
    if (rule) rules.push({ takesIn, ...rule })
    else if (takesIn) return () => false
  }
  rules.reverse()
  return path => {
    const names = path.split('/')
    return rules.find(rule => holds(rule, names))?.takesIn === false
  }
}

/** @returns null for what names nothing, undefined for what is not understood */
function ruleOf(pattern: string): Omit<Rule, 'takesIn'> | null | undefined {
  const plain = posix.normalize(pattern).replace(/^\/+|\/+$/g, '')
  if (pattern === '' || plain === '' || plain === '.' || plain.startsWith('..')) return null
  const isAnywhere = plain.startsWith('**/')
  const segments = (isAnywhere ? plain.slice(3) : plain).replace(/\/\*\*$/, '/*').split('/')
  const isUnderstood = segments.length <= MAX_SEGMENTS && segments.every(segment => SEGMENT.test(segment))
  return isUnderstood ? { isAnywhere, segments } : undefined
}

/** Of the path, or of a folder above it. */
function holds({ isAnywhere, segments }: Rule, names: readonly string[]): boolean {
  const last = isAnywhere ? names.length - segments.length : Math.min(0, names.length - segments.length)
  for (let from = 0; from <= last; from++) {
    if (segments.every((segment, index) => isNamed(names[from + index] ?? '', segment))) return true
  }
  return false
}

function isNamed(name: string, segment: string): boolean {
  const star = segment.indexOf('*')
  if (star === -1) return name === segment
  const [before, after] = [segment.slice(0, star), segment.slice(star + 1)]
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
}
