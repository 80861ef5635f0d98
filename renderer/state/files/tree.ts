import type { FileEntry } from '../../../server/api/v1/sandbox/files.ts'

/** What is known of a folder. Entries stay while it is read again. */
export interface Folder {
  readonly entries: readonly FileEntry[]
  readonly next: string | null
  readonly total: number
  readonly state: 'loading' | 'ready' | 'failed'
  readonly problem: unknown
}

export interface Tree {
  /** Absolute path of the working directory; null before it was read. */
  readonly root: string | null
  readonly folders: ReadonlyMap<string, Folder>
  readonly expanded: ReadonlySet<string>
}

export type Row =
  | { kind: 'entry'; key: string; depth: number; entry: FileEntry; isFolder: boolean; isExpanded: boolean }
  | { kind: 'more'; key: string; depth: number; folder: string; left: number }
  | { kind: 'loading' | 'empty'; key: string; depth: number; folder: string }
  | { kind: 'failed'; key: string; depth: number; folder: string; problem: unknown }

export const EMPTY_TREE: Tree = { root: null, folders: new Map(), expanded: new Set() }
const UNREAD: Folder = { entries: [], next: null, total: 0, state: 'loading', problem: null }

/** A link to a folder opens like one. */
export function isFolder({ kind, link, path }: Pick<FileEntry, 'kind' | 'link' | 'path'>): boolean {
  return path !== null && (kind === 'directory' || link?.kind === 'directory')
}

export function withFolder(tree: Tree, path: string, folder: Partial<Folder>): Tree {
  const folders = new Map(tree.folders)
  folders.set(path, { ...(folders.get(path) ?? UNREAD), ...folder })
  return { ...tree, folders }
}

export function withExpanded(tree: Tree, path: string, isExpanded: boolean): Tree {
  const expanded = new Set(tree.expanded)
  if (isExpanded) expanded.add(path)
  else expanded.delete(path)
  return { ...tree, expanded }
}

/** The folders whose entries show. */
export function openFolders({ root, expanded }: Tree): string[] {
  return root === null ? [] : [root, ...expanded].filter(path => path === root || isShown(path, root, expanded))
}

function isShown(path: string, root: string, expanded: ReadonlySet<string>): boolean {
  for (let above = parentOf(path); above.length > root.length; above = parentOf(above)) {
    if (!expanded.has(above)) return false
  }
  return true
}

/** The rows from the first to the last, those of closed folders left out. */
export function rowsOf(tree: Tree, { hideIgnored }: { hideIgnored: boolean }): Row[] {
  const rows: Row[] = []
  const add = (path: string, depth: number) => {
    const folder = tree.folders.get(path)
    const shown = (folder?.entries ?? []).filter(({ ignored }) => !hideIgnored || !ignored)
    for (const entry of shown) {
      const opens = isFolder(entry)
      const isExpanded = opens && entry.path !== null && tree.expanded.has(entry.path)
      rows.push({ kind: 'entry', key: `${path}/${entry.name}`, depth, entry, isFolder: opens, isExpanded })
      if (isExpanded && entry.path !== null) add(entry.path, depth + 1)
    }
    const about = { depth, folder: path }
    if (!folder || (folder.state === 'loading' && folder.entries.length === 0))
      rows.push({ kind: 'loading', key: `${path}/\0loading`, ...about })
    else if (folder.state === 'failed')
      rows.push({ kind: 'failed', key: `${path}/\0failed`, problem: folder.problem, ...about })
    else if (folder.next !== null)
      rows.push({ kind: 'more', key: `${path}/\0more`, left: folder.total - folder.entries.length, ...about })
    else if (shown.length === 0) rows.push({ kind: 'empty', key: `${path}/\0empty`, ...about })
  }
  if (tree.root !== null) add(tree.root, 0)
  return rows
}

export type Move = 'up' | 'down' | 'home' | 'end' | 'page-up' | 'page-down'
const PAGE = 15

/** The row that a key leads to. */
export function moved(count: number, at: number, move: Move): number {
  const steps: Record<Move, number> = {
    up: at - 1,
    down: at + 1,
    home: 0,
    end: count - 1,
    'page-up': at - PAGE,
    'page-down': at + PAGE,
  }
  return Math.min(count - 1, Math.max(0, steps[move]))
}

/** The next row after `at` whose name begins with what was typed, from the beginning again; -1 for none. */
export function typedAhead(rows: readonly Row[], at: number, typed: string): number {
  const from = typed.length > 1 ? at : at + 1
  for (let step = 0; step < rows.length; step++) {
    const index = (from + step) % rows.length
    const row = rows[index]
    if (row?.kind === 'entry' && row.entry.name.toLowerCase().startsWith(typed.toLowerCase())) return index
  }
  return -1
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function joined(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

/** What is drawn as nothing, or says how others are drawn; but for the signs that make a picture of the letter before them. */
const UNSEEN = /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** A name with what cannot be seen, or turns the line around, written out. */
export function shownName(name: string): string {
  return name.replace(UNSEEN, character => {
    if (character === '\n') return '\\n'
    const code = character.codePointAt(0)?.toString(16) ?? ''
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}
