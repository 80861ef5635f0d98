import { mkdir } from 'node:fs/promises'
import { timeLimit } from '../async/time-limit.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import type { WorkspaceSource } from '../domain/start-plan.ts'
import type { Folders } from '../folder/folders.ts'
import { FolderGit } from '../folder/git.ts'
import { folderNameIn } from '../folder/names.ts'
import { takeSnapshot } from '../folder/snapshot.ts'
import { addressOnHost } from '../git/address.ts'
import { RemoteRepository } from '../git/transfer/remote-repository.ts'
import { fetchPack } from '../git/transfer/upload-pack.ts'
import type { GitCredentials } from '../git-providers/provider.ts'
import { outboundErrorIn } from '../outbound/problem.ts'
import { RepositoryTree } from './tree.ts'

export interface SourceOptions {
  folders: Pick<Folders, 'open'>
  /** Folder of our own for what git needs meanwhile. */
  homes: string
  credentialsFor: (url: string) => Promise<GitCredentials | undefined>
  /** What is asked of an address that came with a conversation. */
  fetch: typeof globalThis.fetch
}

/**
 * Reads what a conversation would begin with, as git has it: a repository's last commit, which the service fetches, or a
 * folder as it is now. Nothing of it is executed. What git needed for it is gone when `work` has ended.
 * @throws AppError bad_request for what is neither, clone_failed for a repository that is not reached, file_not_found
 */
export async function withTree<T>(
  source: WorkspaceSource,
  options: SourceOptions,
  { work, signal }: { work: (tree: RepositoryTree) => Promise<T>; signal: AbortSignal },
): Promise<T> {
  if (source.kind === 'copied_folder' || source.kind === 'mounted_folder') {
    const includeChanges = source.includeChanges || (source.kind === 'mounted_folder' && source.mode === 'in_place')
    return options.folders.open(source.path, signal, async (folder, own) => {
      const { start } = await takeSnapshot(folder, { includeChanges, signal: own })
      return work(await RepositoryTree.open(folderNameIn(source.path), folder.git, start, own))
    })
  }
  if (source.kind !== 'repository') {
    throw new AppError('bad_request', 'A dev container belongs to a repository or a folder. Choose one of them.')
  }
  await mkdir(options.homes, { recursive: true, mode: 0o700 })
  const git = await FolderGit.open(options.homes, { homes: options.homes, objects: null, settings: [], signal })
  try {
    const commit = await fetchCommit(source, git, options, signal)
    return await work(await RepositoryTree.open(source.name, git, commit, signal))
  } finally {
    await git.close()
  }
}

async function fetchCommit(
  { url, branch }: Extract<WorkspaceSource, { kind: 'repository' }>,
  git: FolderGit,
  { credentialsFor, fetch }: SourceOptions,
  asked: AbortSignal,
): Promise<string> {
  if (!/^https?:/.test(url)) {
    throw new AppError(
      'bad_request',
      'Atelier reads dev containers over https alone. Give the https address of the repository.',
    )
  }
  const late = timeLimit(BOUNDS.devContainerFetch.limit)
  const signal = AbortSignal.any([asked, late])
  try {
    const credentials = await credentialsFor(url)
    const repository = new RemoteRepository('clone', { url: addressOnHost(new URL(url)), credentials, fetch, signal })
    const { refs } = await repository.advertised()
    const commit = branch === null ? refs.get('HEAD') : (refs.get(`refs/heads/${branch}`) ?? tagIn(refs, branch))
    if (!commit) {
      throw new AppError(
        'git_refused',
        `Nothing was read: ${branch === null ? 'the repository has no commit' : `${repository.host} has no branch ${branch}`}. Choose another one.`,
      )
    }
    const pack = await fetchPack(repository, { wanted: [commit], known: [], shallow: [], depth: 1 })
    const limit = BOUNDS.devContainerPack.limit
    await git.feed(['index-pack', '--stdin', `--max-input-size=${limit}`], pack.bytes, signal)
    return commit
  } catch (error) {
    asked.throwIfAborted()
    if (late.aborted) throw notRead('Fetching it took longer than 5 minutes.', error)
    if (outboundErrorIn(error)?.problem !== 'private-host') throw notRead(messageOf(error), error)
    const { host } = new URL(addressOnHost(new URL(url)))
    const why = `${host} is this machine or a machine of its network, which a repository may not name`
    throw notRead(`${why}. Allow it in Settings › Privacy (allowed_hosts), then try again.`, error, {
      host,
      setting: 'allowed_hosts',
    })
  }
}

function notRead(why: string, cause: unknown, details: Record<string, unknown> = {}): AppError {
  return new AppError('clone_failed', `The dev containers of the repository were not read. ${why}`, { details, cause })
}

/** What an annotated tag names, else the tag itself. */
function tagIn(refs: ReadonlyMap<string, string>, name: string): string | undefined {
  return refs.get(`refs/tags/${name}^{}`) ?? refs.get(`refs/tags/${name}`)
}
