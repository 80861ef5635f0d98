import { expandBraces, matchesPathNames, namePattern, type PathPattern } from '../text/glob.ts'

/** Braces multiply; a pattern that stands for more than this is taken literally from there on. */
const MAX_ALTERNATIVES = 16

/**
 * Whether a path (relative, with slashes) matches a glob: `*` and `?` inside a name, `**` for any folders, `[a-c]`,
 * `{a,b}`. A pattern without a slash means a name in any folder.
 */
export function matchesPath(pattern: string, path: string): boolean {
  return pathPattern(pattern)(path)
}

/** The same, for a pattern that is asked about many paths. */
export function pathPattern(pattern: string): (path: string) => boolean {
  const patterns = expandBraces(pattern.trim().replace(/^\.?\//, ''), MAX_ALTERNATIVES).flatMap(compiled)
  return path => {
    const names = path.split('/').filter(name => name !== '' && name !== '.')
    const characters = names.map(name => [...name])
    return patterns.some(each => matchesPathNames(each, characters))
  }
}

function compiled(alternative: string): PathPattern[] {
  const parts = alternative.split('/').filter(part => part !== '')
  if (parts.length === 0) return []
  const anywhere = !alternative.includes('/')
  const meant = anywhere ? ['**', ...parts] : alternative.endsWith('/') ? [...parts, '**'] : parts
  return [meant.map(part => (part === '**' ? 'deep' : namePattern(part)))]
}
