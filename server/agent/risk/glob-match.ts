import { matchesName, namePattern } from '../../text/glob.ts'

/**
 * Whether a shell pattern may stand for a path. `*` and `?` never match a slash; a bracket stands for any one
 * character.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  const names = path.split('/')
  const parts = pattern.split('/', names.length + 1)
  if (parts.length !== names.length) return false
  return parts.every((part, at) => matchesName(namePattern(part, { anyBracket: true }), [...(names[at] ?? '')]))
}
