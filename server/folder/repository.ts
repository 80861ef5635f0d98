import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import { isBranchRef, isObjectName, isRefName } from '../git/names.ts'

/** A folder's repository as its files say it; git itself never opens it. */
export interface FolderRepository {
  /** Folders of this worktree's own state, and of what all its worktrees share; often the same. */
  gitDir: string
  common: string
  objects: string
  /** The index and what git ignores here beside `.gitignore`; null where there is none. */
  index: string | null
  exclude: string | null
  /** Without `refs/heads/`; null when no branch is checked out. */
  branch: string | null
  /** null before the first commit. */
  head: string | null
  /** Branches, tags and what they name; what they name need not exist. */
  refs: ReadonlyMap<string, string>
  /** Commits whose parents were not fetched. */
  shallow: readonly string[]
  /** What decides how git compares files, as `name=value`. */
  settings: readonly string[]
}

const MAX_TEXT = 4 * 2 ** 20
/** True or false, or one word; none of them names a program. */
const HARMLESS =
  /^\s*(autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode)\s*=\s*(true|false|input|lf|crlf|native)\s*$/i

/**
 * @param folder its own path, without links
 * @returns null for a folder that is no repository itself
 * @throws AppError bad_request in words for one that cannot be copied
 */
export async function readRepository(folder: string): Promise<FolderRepository | null> {
  const place = join(folder, '.git')
  const found = await lstat(place).catch(() => undefined)
  if (!found) return null
  if (found.isSymbolicLink()) throw refused('its .git is a link to another place')
  const gitDir = found.isDirectory() ? place : await linkedWorktree(folder, place)
  const common = gitDir === place ? place : resolve(gitDir, (await line(join(gitDir, 'commondir'))) ?? '.')
  for (const each of [gitDir, common, join(common, 'objects'), join(common, 'refs')]) {
    const part = await lstat(each).catch(() => undefined)
    if (!part?.isDirectory()) throw refused('its .git is damaged or was made by a newer git')
  }
  const config = (await text(join(common, 'config'))) ?? ''
  if (/^[ \t]*objectformat[ \t]*=[ \t]*sha256/im.test(config))
    throw refused('it uses SHA-256 names, which are not supported yet')
  if (/^[ \t]*refstorage[ \t]*=[ \t]*reftable/im.test(config))
    throw refused('it keeps its branches as a reftable, which is not supported yet')
  if (/^[ \t]*(promisor[ \t]*=[ \t]*true|partialclone[ \t]*=)/im.test(config)) {
    throw refused('it is a partial clone, whose missing files only its server has. Start from the repository instead')
  }
  const refs = await readRefs(common)
  const named = await line(join(gitDir, 'HEAD'))
  const symbolic = named?.startsWith('ref: ') ? named.slice(5).trim() : null
  if (symbolic !== null && !isBranchRef(symbolic)) throw refused('its HEAD names no branch')
  const head = symbolic === null ? (named ?? '') : refs.get(symbolic)
  return {
    gitDir,
    common,
    objects: join(common, 'objects'),
    index: await regular(join(gitDir, 'index')),
    exclude: await text(join(common, 'info', 'exclude')),
    branch: symbolic === null ? null : symbolic.slice('refs/heads/'.length),
    head: head !== undefined && isObjectName(head) ? head : null,
    refs,
    shallow: ((await text(join(common, 'shallow'))) ?? '').split('\n').filter(isObjectName),
    settings: settingsIn(config),
  }
}

/** A worktree names its repository, which has to name it back: a folder cannot claim another one's repository. */
async function linkedWorktree(folder: string, file: string): Promise<string> {
  const named = /^gitdir: (.+)$/.exec((await line(file)) ?? '')?.[1]
  const gitDir = named === undefined ? undefined : resolve(folder, named)
  const back = gitDir && (await line(join(gitDir, 'gitdir')))
  const known = back ? await realpath(resolve(gitDir, back)).catch(() => undefined) : undefined
  if (!gitDir || known !== file) {
    throw refused('it belongs to another repository, as submodules do. Choose the folder of that repository')
  }
  return gitDir
}

async function readRefs(common: string): Promise<Map<string, string>> {
  const refs = new Map<string, string>()
  const add = (name: string, object: string) => {
    if (refs.size < BOUNDS.folderRefs.limit && isRefName(name) && isObjectName(object)) refs.set(name, object)
  }
  for (const kind of ['heads', 'tags']) await readLoose(common, `refs/${kind}`, add)
  const packed = (await text(join(common, 'packed-refs'))) ?? ''
  for (const each of packed.split('\n')) {
    const [object = '', name = ''] = each.split(' ')
    if (/^refs\/(heads|tags)\//.test(name) && !refs.has(name)) add(name, object)
  }
  return refs
}

async function readLoose(common: string, folder: string, add: (name: string, object: string) => void): Promise<void> {
  const entries = await readdir(join(common, folder), { withFileTypes: true }).catch(() => [])
  for (const entry of entries.slice(0, BOUNDS.folderRefs.limit)) {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory() && name.split('/').length < 20) await readLoose(common, name, add)
    else if (entry.isFile()) add(name, (await line(join(common, name))) ?? '')
  }
}

/** Of the section [core] alone. */
function settingsIn(config: string): string[] {
  const core = config.split(/^(?=[ \t]*\[)/m).filter(section => /^[ \t]*\[core\]/i.test(section))
  return core.flatMap(section =>
    section.split('\n').flatMap(each => {
      const [, name, value] = HARMLESS.exec(each) ?? []
      return name && value ? [`core.${name.toLowerCase()}=${value.toLowerCase()}`] : []
    }),
  )
}

async function regular(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() ? path : null
}

/** Of a regular file alone: reading a pipe would never end. */
async function text(path: string): Promise<string | null> {
  if ((await regular(path)) === null) return null
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(size, MAX_TEXT))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

async function line(path: string): Promise<string | null> {
  const all = await text(path)
  return all === null ? null : (all.split('\n')[0] ?? '').trim()
}

function refused(why: string): AppError {
  return new AppError('bad_request', `The folder cannot be copied with its git history: ${why}.`)
}
