import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { isBranchRef } from '../names.ts'
import { endOfOutput } from '../said.ts'
import { type RemoteOptions, RemoteRepository } from './remote-repository.ts'
import { fetchPack } from './upload-pack.ts'

/** The last commits that the repository has, and the ends of its branches: the server leaves out what they lead to. */
const KNOWN = `git for-each-ref --count=500 --sort=-committerdate --format='%(objectname)' refs/heads refs/remotes
git rev-list --max-count=100 --all`

/** $1 the pack or nothing, $2 ref, $3 commit. */
const TAKE = `[ -z "$1" ] || git -c core.hooksPath=/dev/null index-pack --stdin --fix-thin <"$1" >/dev/null || exit 1
git cat-file -e "$3^{commit}" && git update-ref "$2" "$3"`

/**
 * Brings a branch of the remote into the sandbox's repository, as `refs/remotes/<remote>/<branch>`. It is here that the
 * remote is talked to, so that the token never comes where the agent could read it.
 * @returns its commit @throws AppError git_refused, provider_token_invalid, provider_unavailable, and those of the sandbox
 */
export async function fetchBranch(
  sandbox: SandboxHandle,
  { remote, branch }: { remote: string; branch: string },
  options: RemoteOptions,
): Promise<string> {
  const { signal } = options
  const repository = new RemoteRepository('fetch', options)
  const ref = `refs/heads/${branch}`
  const { refs } = await repository.advertised()
  const commit = isBranchRef(ref) ? refs.get(ref) : undefined
  if (!commit)
    throw new AppError(
      'git_refused',
      `${repository.host} has no branch ${branch} in this repository. Choose another base for the pull request.`,
    )
  const { stdout } = await sandbox.exec({ argv: ['/bin/sh', '-c', KNOWN], cwd: sandbox.workingDir, signal })
  const known = [...new Set(stdout.split('\n').filter(name => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(name)))]
  const pack = known.includes(commit) ? '' : `/tmp/atelier-fetch-${randomToken(12)}.pack`
  try {
    if (pack) await sandbox.receiveFile(pack, await fetchPack(repository, { wanted: commit, known }), signal)
    const argv = ['/bin/sh', '-c', TAKE, 'sh', pack, `refs/remotes/${remote}/${branch}`, commit]
    const limitMs = BOUNDS.sandboxLongCommand.limit
    const { exitCode, stderr } = await sandbox.exec({ argv, cwd: sandbox.workingDir, limitMs, signal })
    if (exitCode === 0) return commit
    const said = endOfOutput(stderr)
    throw new AppError('git_refused', `Git could not take what was fetched${said ? `. It said: ${said}` : '.'}`)
  } finally {
    if (pack) await sandbox.exec({ argv: ['rm', '-f', '--', pack] }).catch(() => {})
  }
}
