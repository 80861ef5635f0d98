import { posix } from 'node:path'
import { matchesPathNames, namePattern, type PathPattern } from '../../text/glob.ts'

const MAX_LINES = 200
const MAX_SEGMENTS = 20
/** Of a name: a second `*` makes each path cost as much as name and pattern are long, multiplied. */
const MAX_STARS = 3
const MAX_STARRED_CHARS = 40

interface Rule {
  takesIn: boolean
  /** The name that each of its paths begins with, where that is one. */
  first: string | null
  pattern: PathPattern
}

/**
 * Reads a `.dockerignore`, of which the last pattern that a path or a folder above it matches decides. Patterns with `**` beside
 * other characters of a name, or with more stars than anybody writes, are passed over; where such a one takes something in
 * again, nothing is left out. https://docs.docker.com/build/concepts/context/#dockerignore-files
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
    const characters = names.map(name => [...name])
    const decides = ({ first, pattern }: Rule) =>
      (first === null || first === names[0]) && matchesPathNames(pattern, characters)
    return rules.find(decides)?.takesIn === false
  }
}

/** @returns null for what names nothing, undefined for what is not understood */
function ruleOf(line: string): Omit<Rule, 'takesIn'> | null | undefined {
  const plain = posix.normalize(line).replace(/^\/+|\/+$/g, '')
  if (line === '' || plain === '' || plain === '.' || plain.startsWith('..')) return null
  // What is below a folder, without the folder.
  const segments = plain.replace(/\/\*\*$/, '/*').split('/')
  if (segments.length > MAX_SEGMENTS || !segments.every(isUnderstood)) return undefined
  const [first = ''] = segments
  return {
    first: /[*?[\\]/.test(first) ? null : first,
    // And whatever is below what it names.
    pattern: [...segments.map(each => (each === '**' ? 'deep' : namePattern(each, { escapes: true }))), 'deep'],
  }
}

function isUnderstood(segment: string): boolean {
  const stars = segment.split('*').length - 1
  if (segment === '**' || stars < 2) return true
  return !segment.includes('**') && stars <= MAX_STARS && segment.length <= MAX_STARRED_CHARS
}
