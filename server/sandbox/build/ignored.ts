import { posix } from 'node:path'
import { matchesName, matchesParts, namePattern } from '../../text/glob.ts'

const MAX_LINES = 200
const MAX_SEGMENTS = 20
/** Names are no longer. */
const MAX_SEGMENT = 255
/** Of names with several stars, characters or classes: each costs a name as much as both are long, multiplied. */
const MAX_STARS = 3
const MAX_PATTERN = 40
const MAX_PATTERNS = 20

type Segment = 'deep' | ((name: string) => boolean)

interface Rule {
  takesIn: boolean
  segments: readonly Segment[]
}

/**
 * Reads a `.dockerignore`, of which the last pattern that a path or a folder above it matches decides. Patterns with `**` beside
 * other characters of a name, and what is longer or more than anybody writes, are passed over; where such a one takes something
 * in again, nothing is left out. https://docs.docker.com/build/concepts/context/#dockerignore-files
 * @returns whether a path of the build context is left out; what a repository wrote costs little more time than the path is long
 */
export function ignoredBy(text: string): (path: string) => boolean {
  const rules: Rule[] = []
  let patterns = 0
  for (const line of text.split('\n').slice(0, MAX_LINES)) {
    const takesIn = line.startsWith('!')
    const written = segmentsOf((takesIn ? line.slice(1) : line).trim())
    if (written === null || line.startsWith('#')) continue
    const segments = written.map(segmentOf)
    patterns += written.filter(isPattern).length
    const isUnderstood = written.length <= MAX_SEGMENTS && patterns <= MAX_PATTERNS && !segments.includes(undefined)
    // And whatever is below what it names.
    if (isUnderstood) rules.push({ takesIn, segments: [...(segments as Segment[]), 'deep'] })
    else if (takesIn) return () => false
  }
  rules.reverse()
  return path => {
    const names = path.split('/')
    const decides = ({ segments }: Rule) => matchesParts(segments, names, (isNamed, name) => isNamed(name))
    return rules.find(decides)?.takesIn === false
  }
}

/** null for what names nothing. */
function segmentsOf(line: string): string[] | null {
  const plain = posix.normalize(line).replace(/^\/+|\/+$/g, '')
  if (line === '' || plain === '' || plain === '.' || plain.startsWith('..')) return null
  // What is below a folder, without the folder.
  return plain.replace(/\/\*\*$/, '/*').split('/')
}

/** Whether it takes more than a look at the beginning and the end of a name. */
function isPattern(segment: string): boolean {
  return segment !== '**' && /[?[\\]|\*.*\*/.test(segment)
}

/** undefined for one that is not understood. */
function segmentOf(segment: string): Segment | undefined {
  if (segment === '**') return 'deep'
  if (!isPattern(segment)) return segment.length <= MAX_SEGMENT ? plainSegment(segment) : undefined
  const isOdd = segment.length > MAX_PATTERN || segment.includes('**') || segment.split('*').length - 1 > MAX_STARS
  if (isOdd) return undefined
  const pattern = namePattern(segment, { escapes: true })
  return name => matchesName(pattern, [...name])
}

/** One star at most. */
function plainSegment(segment: string): Segment {
  const star = segment.indexOf('*')
  if (star === -1) return name => name === segment
  const [before, after] = [segment.slice(0, star), segment.slice(star + 1)]
  const least = before.length + after.length
  return name => name.length >= least && name.startsWith(before) && name.endsWith(after)
}
