import { lstat, readdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { EngineUsers } from '../../docker/engine-info.ts'
import { AppError } from '../../domain/errors.ts'
import { START_VARIABLE } from '../../git/changes.ts'
import { type MountedFolder, SANDBOX, type SpecMount } from '../../sandbox/spec.ts'
import { folderNameIn } from '../names.ts'
import type { FolderRepository } from '../repository.ts'
import { giveToOwner, makeFolder } from './owner.ts'
import type { MadeWorktree } from './worktree.ts'

interface Mountable {
  /** The folder itself, or its worktree. */
  path: string
  repository: FolderRepository | null
}

/**
 * The folder itself, to be written. What of its repository starts programs on this machine, its configuration and its hooks,
 * can only be read; `.git` is a mount of its own, so that nobody puts another one in its place.
 */
export async function inPlaceMounts({ path, repository }: Mountable, users: EngineUsers): Promise<MountedFolder> {
  const inside = `${SANDBOX.workingDir}/${folderNameIn(path)}`
  const mounts = [writable(path, inside)]
  if (repository) {
    const git = join(path, '.git')
    mounts.push(writable(git, `${inside}/.git`))
    mounts.push(readable(await makeFolder(git, 'hooks', path), `${inside}/.git/hooks`))
    // Other worktrees are not seen in the sandbox, and git there would take them for gone.
    for (const name of ['worktrees', 'modules']) {
      const found = await lstat(join(git, name)).catch(() => undefined)
      if (found) mounts.push(readable(await makeFolder(git, name, path), `${inside}/.git/${name}`))
    }
    for (const name of ['config', 'config.worktree']) {
      const file = await realFile(join(git, name))
      if (file !== null) mounts.push(readable(file, `${inside}/.git/${name}`))
    }
  }
  return finished({ path, head: repository?.head ?? null, inside, mounts }, users)
}

/** Folders of a repository in which a worktree's own commits, branches and their history are written. */
const WRITTEN = ['objects', 'refs/heads', 'refs/remotes', 'logs/refs/heads', 'logs/refs/remotes']

/** Beside a worktree's `gitdir`: where it lies in the sandbox. */
const GITDIR_INSIDE = 'gitdir-in-sandbox'

/**
 * A worktree, to be written, and its repository, of which only what a commit writes can be written. Both lie to each other in
 * the sandbox as on this machine, since one names the other.
 * @param own folder of the worktree's own state, in the repository
 */
export async function worktreeMounts(
  { path, repository, own }: Pick<MadeWorktree, 'path' | 'repository' | 'own'>,
  users: EngineUsers,
): Promise<MountedFolder> {
  const { common, head } = repository
  const inside = `${SANDBOX.workingDir}/${basename(path)}`
  const commonInside = `${SANDBOX.workingDir}/${basename(dirname(common))}/.git`
  const ownInside = `${commonInside}/worktrees/${basename(own)}`
  const mounts = [
    writable(path, inside),
    readable(join(path, '.git'), `${inside}/.git`),
    readable(common, commonInside),
  ]
  for (const name of WRITTEN) {
    mounts.push(writable(await makeFolder(common, name, path), `${commonInside}/${name}`))
  }
  mounts.push(writable(own, ownInside))
  // Git on this machine reads its configuration where they lead, and in the sandbox takes a worktree for gone that it does not see.
  for (const name of ['commondir', 'config.worktree']) mounts.push(readable(join(own, name), `${ownInside}/${name}`))
  await writeFile(join(own, GITDIR_INSIDE), `${inside}/.git\n`)
  await giveToOwner(join(own, GITDIR_INSIDE), path)
  mounts.push(readable(join(own, GITDIR_INSIDE), `${ownInside}/gitdir`))
  return finished({ path, head, inside, mounts }, users)
}

async function finished(
  given: { path: string; head: string | null; inside: string; mounts: SpecMount[] },
  users: EngineUsers,
): Promise<MountedFolder> {
  const { path, head, inside, mounts } = given
  const { uid, gid } = await stat(path)
  const sees = (await readdir(path)).find(name => !name.includes('\ufffd')) ?? null
  return {
    mounts,
    user: users === 'same' && uid !== 0 ? `${uid}:${gid}` : null,
    env: head === null ? {} : { [START_VARIABLE]: head },
    path: inside,
    sees,
    files: users === 'same' ? await filesOf(mounts) : new Map(),
  }
}

async function filesOf(mounts: readonly SpecMount[]): Promise<Map<string, string>> {
  const entries = mounts.map(async ({ host_path, container_path }) => {
    const { dev, ino } = await lstat(host_path, { bigint: true })
    return [container_path, `${dev}:${ino}`] as const
  })
  return new Map(await Promise.all(entries))
}

function writable(host_path: string, container_path: string): SpecMount {
  return { host_path, container_path, mode: 'rw' }
}

function readable(host_path: string, container_path: string): SpecMount {
  return { host_path, container_path, mode: 'ro' }
}

/** null where there is none. @throws AppError bad_request for anything but a file */
async function realFile(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return null
  if (found.isFile()) return path
  throw new AppError('bad_request', `${path} is no file. Start with a copy of the folder instead.`)
}
