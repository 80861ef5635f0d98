import { AppError } from '../../domain/errors.ts'
import type { PipedProcess, SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { GitCredentials } from '../../git-providers/provider.ts'
import { isBranchRef } from '../names.ts'
import { endOfOutput } from '../said.ts'
import { descendsFrom } from './descent.ts'
import { updateRef } from './receive-pack.ts'
import { type Advertised, RemoteRepository } from './remote-repository.ts'

export interface PushRequest {
  /** By HTTP as this machine reaches it, without credentials. */
  url: string
  credentials: GitCredentials
  /** Name of the remote, whose branch is then known to be there. */
  remote: string
  branch: string
  sha: string
}

/** Of SHA-1 or SHA-256. */
const OBJECT_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** How many of the remote's refs are looked for in the sandbox, to leave out what they lead to. */
const MAX_KNOWN = 20_000

/**
 * Reads object names, a line each, to the first empty line; prints a pack of what leads to commit $1 and to none of them.
 * Those that the repository has not are left out.
 */
const PACK = `
{ sed -n '/^$/q;p' | git cat-file --batch-check='%(objecttype) %(objectname)' | sed -n 's/^commit /^/p'; printf '%s\\n' "$1"; } |
git -c core.hooksPath=/dev/null pack-objects --revs --stdout --thin --delta-base-offset -q`

/** $1 remote, $2 branch, $3 commit */
const REMEMBER = `
git update-ref "refs/remotes/$1/$2" "$3"
git config --get "branch.$2.merge" >/dev/null || { git config "branch.$2.remote" "$1" && git config "branch.$2.merge" "refs/heads/$2"; }`

/**
 * Sends a commit of the sandbox's repository as a branch, never by force. The sandbox gives the objects and no more: it is
 * here that the remote is talked to, so that the token never comes where the agent could read it.
 * @throws AppError git_refused with the remote's words, provider_token_invalid, provider_unavailable
 */
export async function push(
  sandbox: SandboxHandle,
  { url, credentials, remote, branch, sha }: PushRequest,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<void> {
  const ref = `refs/heads/${branch}`
  // Both come from the sandbox, and are sent to the remote as they are.
  if (!isBranchRef(ref) || !OBJECT_NAME.test(sha)) {
    throw new AppError(
      'git_refused',
      'Nothing was pushed: the branch has a name that git does not allow. Rename it with git branch -m, then push again.',
    )
  }
  const repository = new RemoteRepository('push', { url, credentials, fetch, signal })
  const advertised = await repository.advertised()
  const from = advertised.refs.get(ref) ?? null
  if (from !== sha) {
    if (from !== null && !(await descendsFrom(sandbox, { commit: sha, ancestor: from }, signal))) {
      throw new AppError(
        'git_refused',
        `Nothing was pushed: ${branch} at ${new URL(url).host} has commits that the sandbox has not. Ask the agent to merge them, then push again; or push under another branch.`,
      )
    }
    const argv = ['/bin/sh', '-c', PACK, 'sh', sha]
    const packing = await sandbox.openPiped({ argv, cwd: sandbox.workingDir, signal })
    try {
      await updateRef(repository, { ref, from, to: sha }, advertised, packOf(packing, advertised))
    } finally {
      void packing.close()
    }
  }
  const argv = ['/bin/sh', '-c', REMEMBER, 'sh', remote, branch, sha]
  await sandbox.exec({ argv, cwd: sandbox.workingDir, signal })
}

/** @throws AppError git_refused with what git said, before the pack ends */
async function* packOf(packing: PipedProcess, { refs }: Advertised): AsyncGenerator<Buffer> {
  let said = ''
  packing.stderr.on('data', chunk => {
    said = endOfOutput(said + String(chunk))
  })
  const known = [...new Set(refs.values())].slice(0, MAX_KNOWN)
  await packing.write([...known, '', ''].join('\n'))
  yield* packing.stdout as AsyncIterable<Buffer>
  if ((await packing.ended) === 0) return
  const reason = said || 'git gave no reason'
  throw new AppError('git_refused', `Nothing was pushed: the commits could not be packed: ${reason}.`)
}
