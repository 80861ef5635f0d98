import { posix } from 'node:path'
import { BOUNDS } from '../domain/bounds.ts'

/** What stands between the characters that a shell gives a meaning. */
const WORD = /[^\s"'`$(){}[\]<>|&;*?!\\]+/g
/** A name with spaces. */
const QUOTED = /"([^"\n]+)"|'([^'\n]+)'/g
const VARIABLE = /\$(?:\w+|\{\w+\})/g
/** Where commands that come after it look for their files. */
const FOLDER = /(?:^|[\s;&|(])(?:cd|pushd|-C|--prefix|--directory|--cwd)[\s=]+["']?([^\s"'`$(){}<>|&;]+)/g
const MAX_WORD = 200
/** No script that a person could look through has so many words and folders. */
const MAX_COMBINATIONS = 20 * BOUNDS.trustedWords.limit

/**
 * Paths of a repository that a script may mean: each word and each of its parts, seen from the root, from the script's own
 * folder, and from folders that it goes to. Most of them do not exist; git's own folder is not the repository's. What a
 * script puts together of variables cannot be seen here, but for a path after `$VARIABLE/`. null when it
 * names more than a person could look through.
 */
export function referencedPaths(script: { path: string; text: string }): string[] | null {
  const text = script.text.replace(VARIABLE, ' ')
  const folders = new Set(['.', posix.dirname(script.path), ...foldersIn(text)])
  const found = new Set<string>()
  let looked = 0
  for (const word of wordsOf(text)) {
    const relative = word.replace(/^(\.?\/)+/, '')
    if (relative === '' || relative.length > MAX_WORD) continue
    for (const folder of folders) {
      if (found.size > BOUNDS.trustedWords.limit || ++looked > MAX_COMBINATIONS) return null
      const path = posix.join(folder, relative)
      if (path !== script.path && !/^\.(\.|git)?(\/|$)/.test(path) && !path.endsWith('/')) found.add(path)
    }
  }
  return [...found]
}

/** Also what is joined with an option or a variable's name: `--rcfile=PATH`, `-d@PATH`, `NAME=PATH`, `-rPATH`. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of text.matchAll(WORD)) {
    words.add(word)
    for (const part of word.split(/[=,@:]/)) words.add(part)
    if (/^-\w./.test(word)) words.add(word.slice(2))
  }
  for (const [, double, single] of text.matchAll(QUOTED)) words.add(double ?? single ?? '')
  return words
}

function foldersIn(text: string): string[] {
  return [...text.matchAll(FOLDER)].flatMap(([, folder = '']) => {
    const path = posix.join('.', folder.replace(/^\/+/, ''))
    return path.startsWith('..') || path.length > MAX_WORD ? [] : [path]
  })
}
