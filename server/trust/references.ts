import { posix } from 'node:path'

const WORD = /[\w@%+=,.~/-]+/g
const MAX_WORD = 200

/**
 * Paths of a repository that a script may mean: each word, seen from the root and from the script's own folder. Most of
 * them do not exist; git's own folder is not the repository's. What a script puts together of variables cannot be seen here,
 * but for a path after `$VARIABLE/`.
 */
export function referencedPaths(script: { path: string; text: string }): string[] {
  const found = new Set<string>()
  for (const [word] of script.text.matchAll(WORD)) {
    const relative = word.replace(/^(\.?\/)+/, '')
    if (relative === '' || relative.length > MAX_WORD) continue
    for (const folder of ['.', posix.dirname(script.path)]) {
      const path = posix.join(folder, relative)
      if (path !== script.path && !/^\.(\.|git)?(\/|$)/.test(path) && !path.endsWith('/')) found.add(path)
    }
  }
  return [...found]
}
