import { lstat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { FolderGit } from './git.ts'

/** Paths are relative to the folder, with slashes. */
export interface FolderChanges {
  /** Files that are new or have another content than git's index; what is gone is in it too. */
  changed: string[]
  /** What cannot be copied: a folder with a repository of its own (it ends with a slash), a name that is no UTF-8. */
  leftOut: string[]
}

const IGNORED = ['--exclude-standard']

/** What differs from the index, and what it does not have, but for what is ignored. Looks into no repository inside. */
export async function listChanges(git: FolderGit, signal: AbortSignal): Promise<FolderChanges> {
  const [entries, modified, others] = await Promise.all([
    git.need(['ls-files', '-z', '--stage'], { signal }),
    git.need(['ls-files', '-z', '--modified'], { signal }),
    git.need(['ls-files', '-z', '--others', ...IGNORED], { signal }),
  ])
  const submodules = new Set(
    fields(entries).flatMap(entry => (entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1)] : [])),
  )
  const listed = [...new Set([...fields(modified), ...fields(others)])]
  const isLeftOut = (path: string) => path.endsWith('/') || path.includes('\ufffd')
  const changed = listed.filter(path => !isLeftOut(path) && !submodules.has(path))
  if (changed.length > BOUNDS.folderFiles.limit) throw tooManyFiles()
  return { changed, leftOut: [...listed.filter(isLeftOut), ...[...submodules].map(path => `${path}/`)] }
}

/** Files that the folder shows to git: those of the index that are still there, and new ones. */
export async function listFiles(git: FolderGit, signal: AbortSignal): Promise<string[]> {
  const listed = await git.need(['ls-files', '-z', '--cached', '--others', ...IGNORED], { signal })
  const files = [...new Set(fields(listed))].filter(path => !path.endsWith('/'))
  if (files.length > BOUNDS.folderFiles.limit) throw tooManyFiles()
  return files
}

/** Files and folders that are left out since they are ignored; a folder ends with a slash. */
export async function listIgnored(git: FolderGit, signal: AbortSignal): Promise<string[]> {
  return fields(await git.need(['ls-files', '-z', '--others', '--ignored', '--directory', ...IGNORED], { signal }))
}

export interface MeasuredFiles {
  files: number
  bytes: number
  /** Regular files and links that are there. */
  present: string[]
  /** What is there as something else or not at all. */
  absent: string[]
}

const AT_ONCE = 64

/** @throws AppError too_large when `limits` are passed, bad_request for a file that cannot be looked at */
export async function measure(
  folder: string,
  paths: readonly string[],
  { limited, signal }: { limited: boolean; signal: AbortSignal },
): Promise<MeasuredFiles> {
  const measured: MeasuredFiles = { files: 0, bytes: 0, present: [], absent: [] }
  const isFolder = folderCheck(folder)
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    signal.throwIfAborted()
    const some = paths.slice(at, at + AT_ONCE)
    const sizes = await Promise.all(some.map(path => sizeOf(folder, path, isFolder)))
    for (const [index, size] of sizes.entries()) {
      const path = some[index] ?? ''
      if (size === null) {
        measured.absent.push(path)
        continue
      }
      if (limited && size > BOUNDS.folderFile.limit) throw tooLarge(path, size)
      measured.present.push(path)
      measured.files++
      measured.bytes += size
    }
    if (limited && measured.bytes > BOUNDS.folderBytes.limit) {
      throw new AppError(
        'bad_request',
        `The folder has more than ${inMegabytes(BOUNDS.folderBytes.limit)} that git does not have yet. Leave out what is not needed with .gitignore, or choose a folder inside it.`,
      )
    }
  }
  return measured
}

/** What lies behind a link is not in the folder. */
async function sizeOf(folder: string, path: string, isFolder: FolderCheck): Promise<number | null> {
  if (!(await isFolder(posix.dirname(path)))) return null
  const found = await lstat(join(folder, path)).catch(() => undefined)
  return found && (found.isFile() || found.isSymbolicLink()) ? found.size : null
}

type FolderCheck = (path: string) => Promise<boolean>

/** Whether a path is a folder, and no part of it a link. */
function folderCheck(folder: string): FolderCheck {
  const known = new Map<string, Promise<boolean>>([['.', Promise.resolve(true)]])
  const check = (path: string): Promise<boolean> => {
    const before = known.get(path)
    if (before) return before
    const checked = check(posix.dirname(path)).then(
      async isFolder => isFolder && ((await lstat(join(folder, path)).catch(() => undefined))?.isDirectory() ?? false),
    )
    known.set(path, checked)
    return checked
  }
  return check
}

export function fields(output: string): string[] {
  return output.split('\0').filter(field => field !== '')
}

function tooManyFiles(): AppError {
  return new AppError(
    'bad_request',
    `The folder has more than ${BOUNDS.folderFiles.limit.toLocaleString('en-US')} files. Leave out what is not needed with .gitignore, or choose a folder inside it.`,
  )
}

function tooLarge(path: string, size: number): AppError {
  return new AppError(
    'bad_request',
    `${JSON.stringify(path)} has ${inMegabytes(size)}, and at most ${inMegabytes(BOUNDS.folderFile.limit)} are copied. Leave it out with .gitignore.`,
  )
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20).toLocaleString('en-US')} MiB`
}
