import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLink, linkRoute } from './link.ts'

const OPTION = '--folder'

/** What the app is given to begin with, by a person, a desktop or another start of it. */
export type Opening = { folder: string } | { link: string }

/**
 * The folder of `--folder PATH` or `--folder=PATH`, where a relative path begins where the words were typed; or the first word that is a link
 * or, in the packaged app, an absolute path or the address of a folder, as desktops give them.
 */
export function openingOf(argv: readonly string[], typedIn: string, isPackaged: boolean): Opening | undefined {
  const folder = folderOption(argv)
  if (folder !== undefined) return folder ? { folder: resolve(typedIn, folder) } : undefined
  const words = argv.slice(1)
  const link = words.find(isLink)
  if (link !== undefined) return { link }
  const given = isPackaged ? words.map(pathOf).find(path => path !== undefined) : undefined
  return given === undefined ? undefined : { folder: given }
}

/** What another start hands over, of which nothing is certain. */
export function parseOpening(value: unknown): Opening | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('link' in value && typeof value.link === 'string') return { link: value.link }
  return 'folder' in value && typeof value.folder === 'string' ? { folder: value.folder } : undefined
}

/** The page that shows it. Nothing is started by it. */
export function openingRoute(opening: Opening): string {
  return 'link' in opening ? linkRoute(opening.link) : `/?folder=${encodeURIComponent(opening.folder)}`
}

/** '' where the option has no value. */
function folderOption(argv: readonly string[]): string | undefined {
  const at = argv.findIndex(word => word === OPTION || word.startsWith(`${OPTION}=`))
  const word = argv[at]
  if (word === undefined) return undefined
  return word === OPTION ? (argv[at + 1] ?? '') : word.slice(OPTION.length + 1)
}

/** An address that names another computer is no folder of this one, and looking at it would tell that computer. */
function pathOf(word: string): string | undefined {
  if (isAbsolute(word)) return word
  if (!URL.canParse(word)) return undefined
  const url = new URL(word)
  if (url.protocol !== 'file:' || url.host !== '') return undefined
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}
