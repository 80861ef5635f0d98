import { BOUNDS } from '../../domain/bounds.ts'
import { expandBraces, matchesPathNames, namePattern } from '../../text/glob.ts'
import { invalidParameter } from '../file-editor/problem.ts'

/** Braces multiply; a pattern that stands for more than this is taken literally from there on. */
const MAX_ALTERNATIVES = 128

export interface GlobPattern {
  /** @param path relative, with `/` between the names */
  matches(path: string): boolean
  /** Names that begin with a dot are asked for. */
  readonly hidden: boolean
}

/**
 * File name patterns as shells and ripgrep know them. Without a slash, the pattern is for the file's name wherever it is;
 * with one, for the whole path. @throws Problem when it is too long
 */
export function globPattern(source: string): GlobPattern {
  if (source.length > BOUNDS.globPattern.limit) {
    const rule = `A pattern has at most ${BOUNDS.globPattern.limit.toLocaleString('en-US')} characters.`
    throw invalidParameter('pattern', source, rule)
  }
  const wanted = source.startsWith('!') ? source.slice(1) : source
  const alternatives = expandBraces(wanted.replace(/^(\.?\/)+/, ''), MAX_ALTERNATIVES).map(each => {
    const segments = each.split('/').filter(segment => segment !== '')
    if (each.endsWith('/')) segments.push('**')
    return segments.length === 1 && !wanted.includes('/') ? ['**', ...segments] : segments
  })
  const hidden = alternatives.some(segments => segments.some(segment => segment.startsWith('.')))
  const compiled = alternatives.map(segments =>
    segments.map(segment => (segment === '**' ? ('deep' as const) : namePattern(segment, { escapes: true }))),
  )
  const some = (path: string) => {
    const names = path.split('/').map(name => [...name])
    return compiled.some(pattern => matchesPathNames(pattern, names))
  }
  return { hidden, matches: path => some(path) !== source.startsWith('!') }
}
