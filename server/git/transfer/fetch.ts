import { MIB } from '../../domain/bounds/bound.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { isBranchRef } from '../names.ts'
import { endOfOutput } from '../said.ts'
import { type RemoteOptions, RemoteRepository } from './remote-repository.ts'
import { fetchPack } from './upload-pack.ts'

/** Of a shallow clone with more ends than that the history is not fetched. */
const MAX_CUTS = 20_000
const MAX_KNOWN_BYTES = 2 * MIB

/**
 * The last commits that the repository has, and the ends of its branches: the server leaves out what they lead to.
 * After `cut:` the commits at which a shallow clone ends: what lies before them is fetched too, as without it the branch
 * and the base would have nothing in common.
 */
const KNOWN = `git for-each-ref --count=500 --sort=-committerdate --format='%(objectname)' refs/heads refs/remotes
git rev-list --max-count=100 --all
echo cut:
head -n ${MAX_CUTS + 1} "$(git rev-parse --git-path shallow)" 2>/dev/null || true`

/**
 * $1 the pack or nothing, $2 ref, $3 commit, $4 whether the lines that come in are what stays shallow. The commit is taken
 * where everything that it leads to is there; otherwise what was shallow is so again.
 */
const TAKE = `[ -z "$1" ] || git -c core.hooksPath=/dev/null index-pack --stdin --fix-thin <"$1" >/dev/null || exit 1
if [ -n "$4" ]; then
  file=$(git rev-parse --git-path shallow) && (set -C && cat >"$file.lock") || exit 1
  trap 'rm -f "$file.lock"' EXIT
  cp -p "$file" "$file.before" || exit 1
  if [ -s "$file.lock" ]; then mv -f "$file.lock" "$file" || exit 1; else rm -f "$file"; fi
  if git rev-list --quiet --objects --all "$3"; then rm -f "$file.before"
  else mv -f "$file.before" "$file"; exit 1; fi
elif ! git rev-list --quiet --objects "$3" --not --all; then exit 1
fi
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
  const { refs } = await repository.advertised()
  const theirs = `refs/heads/${branch}`
  const commit = isBranchRef(theirs) ? refs.get(theirs) : undefined
  if (!commit)
    throw new AppError(
      'git_refused',
      `${repository.host} has no branch ${branch} in this repository. Choose another base for the pull request.`,
    )
  const { stdout } = await sandbox.exec({
    argv: ['/bin/sh', '-c', KNOWN],
    cwd: sandbox.workingDir,
    maxBytes: MAX_KNOWN_BYTES,
    signal,
  })
  const [known = [], shallow = []] = stdout.split('cut:').map(namesIn)
  if (shallow.length > MAX_CUTS) {
    throw new AppError(
      'git_refused',
      'This clone is cut off in too many places. Clone the repository whole, then try again.',
    )
  }
  const isCutOff = shallow.length > 0
  const pack = known.includes(commit) && !isCutOff ? '' : `/tmp/atelier-fetch-${randomToken(12)}.pack`
  try {
    let left: readonly string[] = []
    if (pack) {
      const fetched = await fetchPack(repository, { wanted: [commit], known, shallow })
      left = fetched.shallow
      await sandbox.receiveFile(pack, fetched.bytes, signal)
    }
    const lines = left.map(name => `${name}\n`).join('')
    const ref = `refs/remotes/${remote}/${branch}`
    const argv = ['/bin/sh', '-c', TAKE, 'sh', pack, ref, commit, isCutOff ? 'yes' : '']
    const limitMs = BOUNDS.sandboxLongCommand.limit
    const { exitCode, stderr } = await sandbox.exec({ argv, stdin: lines, cwd: sandbox.workingDir, limitMs, signal })
    if (exitCode === 0) return commit
    const said = endOfOutput(stderr)
    throw new AppError('git_refused', `Git could not take what was fetched${said ? `. It said: ${said}` : '.'}`)
  } finally {
    if (pack) await sandbox.exec({ argv: ['rm', '-f', '--', pack] }).catch(() => {})
  }
}

function namesIn(lines: string): string[] {
  return [...new Set(lines.split('\n').filter(name => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(name)))]
}
