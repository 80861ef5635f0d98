import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { isBranchRef, isRefName } from '../names.ts'
import { DELIMITER, FLUSH, pktLine } from './pkt-line.ts'
import { type Advertised, type RemoteOptions, RemoteRepository, wholeOf } from './remote-repository.ts'
import { fetchPack } from './upload-pack.ts'

/** All branches and tags of a remote, as a file that git clones from: https://git-scm.com/docs/gitformat-bundle */
export interface RemoteBundle {
  /** To be read once. @throws AppError git_refused, provider_unavailable */
  bytes: AsyncIterable<Buffer>
  /** Where the remote says which branch it is: a bundle holds no more than the commit of HEAD. */
  defaultBranch: string | null
  /** Ends the transfer, if it has not ended. */
  close(): Promise<void>
}

/**
 * Asks a remote for everything that `git clone` takes. It resolves when the first bytes are there, so that whoever takes
 * them does not wait while the server counts what it has.
 * @param branch a branch or tag that has to be there; null for none
 * @throws AppError git_refused, provider_token_invalid, provider_token_missing, provider_unavailable
 */
export async function fetchBundle(options: RemoteOptions, branch: string | null): Promise<RemoteBundle> {
  const repository = new RemoteRepository('clone', options)
  const advertised = await repository.advertised()
  const refs = branchesAndTags(advertised, repository)
  if (branch !== null && !refs.has(`refs/heads/${branch}`) && !refs.has(`refs/tags/${branch}`)) {
    throw new AppError(
      'git_refused',
      `Nothing was cloned: remote branch ${branch} not found at ${repository.host}. Choose a branch or tag that is there.`,
    )
  }
  const wanted = [...new Set(refs.values())]
  const pack = wanted.length > 0 ? (await fetchPack(repository, { wanted, known: [], shallow: [] })).bytes : emptyPack()
  const first = await pack.next()
  return {
    bytes: bundleOf(refs, first, pack),
    defaultBranch: refs.size === 0 ? await unbornBranch(repository) : defaultBranchOf(advertised, refs),
    close: async () => {
      // A transfer that failed says so once, to the reader of the bytes.
      await pack.return(undefined).catch(() => {})
    },
  }
}

/** The remote writes the names into the bundle, and later into the sandbox's repository: only those of branches and tags count. */
function branchesAndTags({ refs }: Advertised, { host }: RemoteRepository): Map<string, string> {
  const found = [...refs].filter(([name]) => name === 'HEAD' || isRefName(name))
  const { limit } = BOUNDS.clonedRefs
  if (found.length > limit) {
    throw new AppError(
      'git_refused',
      `Nothing was cloned: the repository at ${host} has more than ${limit} branches and tags. Clone it on this computer, and start with that folder.`,
    )
  }
  const [, first = ''] = found[0] ?? []
  return new Map(found.filter(([, name]) => name.length === first.length && /^(?:.{40}|.{64})$/.test(name)))
}

/** https://git-scm.com/docs/protocol-capabilities#_symref */
function defaultBranchOf({ capabilities }: Advertised, refs: ReadonlyMap<string, string>): string | null {
  const symref = [...capabilities].find(each => each.startsWith('symref=HEAD:'))?.slice('symref=HEAD:'.length)
  return symref !== undefined && isBranchRef(symref) && refs.has(symref) ? symref.slice('refs/heads/'.length) : null
}

/**
 * The branch that the first commit will be on, which the protocol says from its second version on:
 * https://git-scm.com/docs/protocol-v2#_ls_refs. A server that does not speak it leaves the choice to git in the sandbox.
 */
async function unbornBranch(repository: RemoteRepository): Promise<string | null> {
  const [command, ...args] = ['command=ls-refs', 'symrefs', 'unborn', 'ref-prefix HEAD'].map(each =>
    pktLine(`${each}\n`),
  )
  const asked = Buffer.concat([command ?? FLUSH, DELIMITER, ...args, FLUSH])
  try {
    const answer = await wholeOf(await repository.request(Uint8Array.from(asked), 2))
    const [, ref = ''] = /^....unborn HEAD symref-target:([^ \n]+)/.exec(answer.toString()) ?? []
    return isBranchRef(ref) ? ref.slice('refs/heads/'.length) : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** A repository without a commit has a bundle of its header alone. */
async function* emptyPack(): AsyncGenerator<Buffer> {}

async function* bundleOf(
  refs: ReadonlyMap<string, string>,
  first: IteratorResult<Buffer>,
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  yield headerOf(refs)
  if (first.done) return
  yield first.value
  yield* rest
}

function headerOf(refs: ReadonlyMap<string, string>): Buffer {
  const lines = [...refs].map(([name, object]) => `${object} ${name}\n`)
  const isSha256 = lines[0]?.indexOf(' ') === 64
  const signature = isSha256 ? '# v3 git bundle\n@object-format=sha256\n' : '# v2 git bundle\n'
  return Buffer.from(`${signature}${lines.join('')}\n`)
}
