import { resolve } from 'node:path'

const OPTION = '--folder'

/** The folder of `--folder PATH` or `--folder=PATH`, as an absolute path; a relative one begins where the words were typed. */
export function folderWord(argv: readonly string[], typedIn: string): string | undefined {
  const at = argv.findIndex(word => word === OPTION || word.startsWith(`${OPTION}=`))
  const word = argv[at]
  if (word === undefined) return undefined
  const path = word === OPTION ? argv[at + 1] : word.slice(OPTION.length + 1)
  return path ? resolve(typedIn, path) : undefined
}

/** The launcher with a folder chosen. */
export function folderRoute(folder: string): string {
  return `/?folder=${encodeURIComponent(folder)}`
}
