import { prepare, single } from 'fuzzysort'
import type { FileEntry } from '../../../server/api/v1/sandbox/files.ts'
import { isFolder } from '../files/tree.ts'

const MAX_FOLDERS = 5

/**
 * The folder whose entries complete the path, where nothing of a name is written yet: empty for the working directory.
 * @returns null where a part of a name is written
 */
export function folderToList(path: string): string | null {
  return path === '' || path.endsWith('/') ? path : null
}

/** The entries of a folder as paths that begin with it, folders with a slash at their end. What git ignores is left out. */
export function pathsOfEntries(folder: string, entries: readonly FileEntry[]): string[] {
  return entries
    .filter(({ ignored, path }) => path !== null && !ignored)
    .map(entry => `${folder}${entry.name}${isFolder(entry) ? '/' : ''}`)
}

/** The outermost folders above these files whose path has the text, the shortest first, each with a slash at its end; at most 5. */
export function foldersAbove(files: readonly string[], text: string): string[] {
  const wanted = text.toLowerCase()
  const folders = new Set<string>()
  for (const file of files) {
    for (let end = file.indexOf('/', 1); end !== -1; end = file.indexOf('/', end + 1)) {
      if (!file.slice(0, end).toLowerCase().includes(wanted)) continue
      folders.add(file.slice(0, end + 1))
      break
    }
  }
  return [...folders].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, MAX_FOLDERS)
}

/**
 * The commands that do something at once: only those that begin with the text, as one that merely has its letters is seldom
 * meant, and nothing asks before it is done. While other commands are looked for, only the one that is written out.
 */
export function matchingActs<T extends { title: string }>(acts: readonly T[], text: string, isPending: boolean): T[] {
  const written = `/${text.toLowerCase()}`
  return acts.filter(({ title }) => (isPending ? title === written : title.startsWith(written)))
}

/**
 * The commands, as `/fork`, that begin with the text, then those that have it elsewhere. Where none has it, those that have its
 * letters in their order, the best match first.
 * @param text what is written behind the slash
 */
export function matchingCommands<T extends { title: string }>(commands: readonly T[], text: string): T[] {
  const wanted = text.toLowerCase()
  const placed = commands.map(command => ({ command, place: command.title.toLowerCase().indexOf(wanted, 1) }))
  const having = placed.filter(({ place }) => place !== -1)
  if (having.length > 0)
    return [...having.filter(({ place }) => place === 1), ...having.filter(({ place }) => place > 1)].map(
      ({ command }) => command,
    )
  // What the library prepares by itself it keeps for good.
  return commands
    .map(command => ({ command, score: single(text, prepare(command.title))?.score ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
}
