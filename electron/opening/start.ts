import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLink, linkRoute } from './link.ts'

const OPTION = '--folder'

/** What the app is given to begin with, by a person, a desktop or another start of it. A link can be any address, which is refused then. */
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
  if (!isPackaged) return undefined
  const given = words.map(pathOf).find(path => path !== undefined)
  if (given !== undefined) return { folder: given }
  const address = words.find(isAddress)
  return address === undefined ? undefined : { link: address }
}

/**
 * What a start tells the running app, beside its words, which Chromium sends as well but in another order. What those say in any order is not sent
 * twice: both together must not be longer than 32 KiB.
 */
export function handedOver(opening: Opening | undefined): { folder?: string } {
  return opening && 'folder' in opening ? opening : {}
}

/** What another start asks for. Of what it has handed over nothing is certain. */
export function openingOfOther(handed: unknown, argv: readonly string[]): Opening | undefined {
  if (typeof handed === 'object' && handed !== null && 'folder' in handed && typeof handed.folder === 'string') {
    return { folder: handed.folder }
  }
  const link = argv.find(isLink) ?? argv.find(isAddress)
  return link === undefined ? undefined : { link }
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

/** Not a word such as `--proxy=http://…`. */
function isAddress(word: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(word)
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
