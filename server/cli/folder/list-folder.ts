import { lstat, readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommandError, EXIT } from '../exit-codes.ts'
import { withGit } from './git.ts'

/** An upload of the service takes 100 MB; archives add to each file. */
const MAX_BYTES = 95_000_000
const MAX_FILES = 50_000
/** What each file adds to a tar archive, at most, for names of usual length. */
const ENTRY_BYTES = 1_536

export interface FolderFiles {
  folder: string
  /** Relative, with slashes: regular files and symbolic links. */
  paths: string[]
  bytes: number
}

/**
 * The files of a folder but for those that git ignores, and git's own. @throws CommandError usage for one that is not
 * there or too large
 */
export async function listFolder(given: string): Promise<FolderFiles> {
  const folder = await realpath(resolve(given)).catch(() => {
    throw new CommandError(EXIT.usage, `There is no folder ${given}.`)
  })
  if (!(await lstat(folder)).isDirectory()) throw new CommandError(EXIT.usage, `${given} is no folder.`)
  const names = await listWithGit(folder)
  const paths: string[] = []
  let bytes = 0
  for (const name of names) {
    const found = await lstat(join(folder, name)).catch(() => undefined)
    if (!found || (!found.isFile() && !found.isSymbolicLink())) continue
    paths.push(name)
    bytes += found.size
    if (paths.length > MAX_FILES || bytes + paths.length * ENTRY_BYTES > MAX_BYTES) {
      throw new CommandError(
        EXIT.usage,
        `${given} is too large to be copied: at most ${MAX_FILES} files and ${MAX_BYTES / 1e6} MB. Leave out what is not needed with .gitignore, or use --repo.`,
      )
    }
  }
  return { folder, paths, bytes }
}

/** With the index of the folder's repository, files that are tracked though ignored are listed too. */
async function listWithGit(folder: string): Promise<string[]> {
  const index = await indexOf(folder)
  return withGit(folder, async git => {
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
    const first = await git.run(list, index ? { GIT_INDEX_FILE: index } : {})
    // An index that only its own repository understands: what is not ignored has to do.
    const { exitCode, stdout, stderr } = first.exitCode === 0 ? first : await git.run(list)
    if (exitCode !== 0) throw new CommandError(EXIT.failed, `Git could not list the files of ${folder}: ${stderr}`)
    return stdout.split('\0').filter(name => name !== '')
  })
}

async function indexOf(folder: string): Promise<string | undefined> {
  const git = join(folder, '.git')
  const found = await lstat(git).catch(() => undefined)
  if (found?.isDirectory()) return join(git, 'index')
  const target = found?.isFile() ? /^gitdir: (.+)$/m.exec(await readFile(git, 'utf8'))?.[1] : undefined
  return target && join(resolve(folder, target), 'index')
}
