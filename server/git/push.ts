import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { CommandResult, SandboxHandle } from '../domain/sandbox-handle.ts'
import type { GitCredentials } from '../git-providers/provider.ts'
import { presentedAt } from './credentials.ts'
import { endOfOutput } from './said.ts'

export interface PushRequest {
  /** By HTTP, without credentials. */
  url: string
  credentials: GitCredentials
  /** Name of the remote, whose branch is then known to be there. */
  remote: string
  branch: string
  sha: string
}

/**
 * $1 commit, $2 branch, $3 address; what follows are options of git. The push begins in an empty repository that borrows
 * the objects, so that neither hooks nor configuration of the repository, which the agent writes, have a part in it.
 */
const PUSH = `
objects=$(cd "$(git rev-parse --git-path objects)" && pwd) && git_dir=$(cd "$(git rev-parse --git-dir)" && pwd) || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 HOME=$folder XDG_CONFIG_HOME=$folder
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM HOME XDG_CONFIG_HOME
git init -q --bare --template= "$folder/r" || exit 1
printf '%s\\n' "$objects" >"$folder/r/objects/info/alternates" || exit 1
if [ -f "$git_dir/shallow" ]; then cp "$git_dir/shallow" "$folder/r/shallow" || exit 1; fi
sha=$1 branch=$2 url=$3
shift 3
cd "$folder/r" && git "$@" push --porcelain --no-verify -- "$url" "$sha:refs/heads/$branch"`

/** $1 remote, $2 branch, $3 commit */
const REMEMBER = `
git update-ref "refs/remotes/$1/$2" "$3"
git config --get "branch.$2.merge" >/dev/null || { git config "branch.$2.remote" "$1" && git config "branch.$2.merge" "refs/heads/$2"; }`

/** Never by force. @throws AppError git_refused with the remote's words, provider_token_invalid, provider_unavailable */
export async function push(sandbox: SandboxHandle, request: PushRequest, signal: AbortSignal): Promise<void> {
  const { url, credentials, remote, branch, sha } = request
  const presented = presentedAt(url, credentials)
  const options = ['-c', 'core.hooksPath=/dev/null', ...presented.options]
  const result = await sandbox.exec({
    argv: ['/bin/sh', '-c', PUSH, 'sh', sha, branch, url, ...options],
    env: { ...presented.env, GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'http:https' },
    cwd: sandbox.workingDir,
    timeoutMs: BOUNDS.sandboxLongCommand.limit,
    signal,
  })
  if (result.exitCode !== 0) throw (await closedNetwork(sandbox, url)) ?? failureOf(result, { url, branch })
  const argv = ['/bin/sh', '-c', REMEMBER, 'sh', remote, branch, sha]
  await sandbox.exec({ argv, cwd: sandbox.workingDir, signal })
}

async function closedNetwork(sandbox: SandboxHandle, address: string): Promise<AppError | undefined> {
  const { hostname, port, protocol } = new URL(address)
  const number = Number(port) || (protocol === 'https:' ? 443 : 80)
  if (!(await sandbox.refuses(hostname, number))) return undefined
  const host = `${hostname}:${number}`
  return new AppError(
    'provider_unavailable',
    `Nothing was pushed: the sandbox does not reach ${host}. Allow ${host} in Settings › Privacy (allowed_hosts), then push again; or save the work as a patch.`,
    { details: { host, setting: 'allowed_hosts' } },
  )
}

function failureOf(
  { stdout, stderr, timedOut }: CommandResult,
  { url, branch }: { url: string; branch: string },
): AppError {
  const { host } = new URL(url)
  const said = endOfOutput(remoteLines(stderr))
  const reason = /^!\t[^\t]*\t(.*)$/m.exec(stdout)?.[1]
  if (reason !== undefined && /fetch first|non-fast-forward/.test(reason)) {
    return new AppError(
      'git_refused',
      `Nothing was pushed: ${branch} at ${host} has commits that the sandbox has not. Ask the agent to merge them, then push again; or push under another branch.`,
    )
  }
  if (reason !== undefined) {
    return new AppError(
      'git_refused',
      `${host} refused the push to ${branch}: ${reason}. ${said && `It said: ${said} `}Put that right, or push under another branch.`,
    )
  }
  if (/authentication failed|could not read username|error: 40[13]/i.test(stderr)) {
    return new AppError(
      'provider_token_invalid',
      `${host} does not let the stored token push, so nothing was pushed. ${said && `It said: ${said} `}Give the token the right to write, or store another one in Settings › Git.`,
    )
  }
  const last = endOfOutput(
    stderr
      .split('\n')
      .filter(line => /^(fatal|error|remote):/.test(line))
      .join('\n'),
  )
  const what = timedOut ? 'the push took too long' : last || 'git gave no reason'
  return new AppError(
    'provider_unavailable',
    `Nothing was pushed to ${host}: ${what}. Check the network and the remote, then push again; or save the work as a patch.`,
  )
}

/** What the server itself has printed. */
function remoteLines(stderr: string): string {
  return stderr
    .split(/[\r\n]+/)
    .flatMap(line => (line.startsWith('remote:') ? [line.slice('remote:'.length).trim()] : []))
    .join('\n')
}
