import { holdsSecretParameter } from '../api/url-credentials.ts'
import type { GitProvider } from '../api/v1/conversation/conversations.ts'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { baseOf, type GitCredentials } from '../git-providers/provider.ts'
import { originOf, providerAt, providerOf } from '../git-providers/providers.ts'
import type { ProviderTokenRow } from '../store/provider-tokens.ts'
import { addressInSandbox } from './address.ts'
import { presentedAt } from './credentials.ts'
import { isBranchRef } from './names.ts'

/** Where to clone from, and the folder name it gets. */
export interface RemoteRepository {
  url: string
  name: string
}

const CLONE_TIMEOUT_MS = 15 * 60_000

/**
 * A git URL (https, http, ssh, git, or `user@host:path`), or `owner/name` on a provider: at the host for which its token
 * is stored, or at its own. Localhost is reached from a sandbox as `host.docker.internal`. Credentials in a URL are refused: they would end up in `.git/config`.
 * @throws AppError bad_request
 */
export function parseRepository(
  text: string,
  provider: GitProvider,
  stored?: Pick<ProviderTokenRow, 'host' | 'software'>,
): RemoteRepository {
  const repository = text.trim()
  if (/^[\w.~-]+(\/[\w.-]+)+$/.test(repository) && !repository.includes('..')) {
    const known = providerOf({ provider, software: stored?.software ?? null })
    if (!known) throw refused('a repository of this provider needs its full URL')
    const origin = originOf(known, stored?.host ?? null)
    const { repositoryUrl = pathUnder } = providerAt(known, origin)
    return { url: repositoryUrl(addressInSandbox(origin), repository), name: folderName(repository) }
  }
  const scp = /^[\w.-]+@[\w.-]+:(?!\/)([\w./~-]+)$/.exec(repository)
  if (scp) return { url: repository, name: folderName(scp[1] ?? '') }
  return parseUrl(repository)
}

function pathUnder(origin: URL, repository: string): string {
  return `${baseOf(origin)}/${repository}.git`
}

function parseUrl(repository: string): RemoteRepository {
  const url = URL.canParse(repository) ? new URL(repository) : undefined
  if (!url || !['https:', 'http:', 'ssh:', 'git:'].includes(url.protocol)) {
    throw refused('give a git URL (https, http, ssh or git) or owner/name')
  }
  if (url.password || (url.username && url.protocol !== 'ssh:')) {
    throw refused('the URL contains credentials, which would be stored in the clone. Remove them from the URL')
  }
  if ([url.search, url.hash].some(part => holdsSecretParameter(part.slice(1)))) {
    throw refused('the URL contains a key or token, which would be stored in the clone. Remove it from the URL')
  }
  return { url: addressInSandbox(url).href, name: folderName(url.pathname) }
}

function folderName(path: string): string {
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  const name = decodeURIComponent(last)
    .replace(/\.git$/, '')
    .replace(/[^\w.-]/g, '-')
  if (name === '' || /^\.*$/.test(name)) throw refused('its path has no name')
  return name
}

function refused(why: string): AppError {
  return new AppError('bad_request', `The repository cannot be used: ${why}.`)
}

/** A branch name as git accepts it, and none that could be taken for an option or be read by a shell. @throws AppError bad_request */
export function checkBranch(branch: string): string {
  const isPlain = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_./@+#-]*$/u.test(branch)
  if (isPlain && branch !== 'HEAD' && isBranchRef(`refs/heads/${branch}`)) return branch
  throw new AppError(
    'bad_request',
    'The branch name is not valid. Use the name as git shows it, like main or feature/x.',
  )
}

/** Clones into `<working dir>/<name>` and returns that path. @throws AppError clone_failed */
export async function cloneRepository(
  sandbox: SandboxHandle,
  repository: RemoteRepository & { branch: string | null },
  options: { onProgress: (line: string) => void; signal: AbortSignal; credentials?: GitCredentials | undefined },
): Promise<string> {
  const folder = `${sandbox.workingDir}/${repository.name}`
  const branch = repository.branch ? ['--branch', repository.branch] : []
  const presented = presentedAt(repository.url, options.credentials)
  const result = await sandbox.exec({
    argv: ['git', ...presented.options, 'clone', '--progress', ...branch, '--', repository.url, folder],
    env: {
      ...presented.env,
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new',
    },
    timeoutMs: CLONE_TIMEOUT_MS,
    signal: options.signal,
    onOutput: text => {
      const line = lastLine(text)
      if (line) options.onProgress(line)
    },
  })
  if (result.exitCode === 0) return folder
  throw (await closedHost(sandbox, repository.url)) ?? cloneFailed(repository, result)
}

/** Whether the network of the sandbox is what git met. */
async function closedHost(sandbox: SandboxHandle, url: string): Promise<AppError | undefined> {
  const { hostname, port } = serverOf(url)
  if ((await sandbox.refuses(hostname, port)) !== 'private') return undefined
  const host = `${hostname}:${port}`
  return new AppError(
    'clone_failed',
    `git could not clone ${url}. ${host} is this machine or a machine of its network, and sandboxes do not reach those. Allow ${host} in Settings › Privacy (allowed_hosts), then try again.`,
    { details: { host, setting: 'allowed_hosts' } },
  )
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80, 'ssh:': 22, 'git:': 9418 }

function serverOf(url: string): { hostname: string; port: number } {
  const scp = /^[^/:]+@([^/:]+):(?!\/)/.exec(url)
  if (scp) return { hostname: scp[1] ?? '', port: 22 }
  const { protocol, hostname, port } = new URL(url)
  return { hostname, port: Number(port) || (DEFAULT_PORTS[protocol] ?? 0) }
}

function cloneFailed(
  repository: RemoteRepository,
  result: { exitCode: number; stderr: string; timedOut: boolean },
): AppError {
  if (result.exitCode === 127 || result.exitCode === 126) {
    return new AppError(
      'clone_failed',
      "This sandbox's image has no git. Choose an image with git, or start without a repository.",
    )
  }
  if (result.timedOut) {
    return new AppError(
      'clone_failed',
      `Cloning ${repository.url} took longer than 15 minutes. Check the network and try again.`,
    )
  }
  const said = result.stderr
    .split(/[\r\n]+/)
    .filter(line => /^(fatal|error|remote):/.test(line))
    .slice(-3)
    .join(' ')
  return new AppError(
    'clone_failed',
    `git could not clone ${repository.url}. ${said || `It ended with exit code ${result.exitCode}.`}`,
  )
}

export interface CommitIdentity {
  name: string
  email: string
}

/** Whom the settings name as the author of commits, else Atelier. */
export function commitIdentity(settings: {
  git_user_name: string | null
  git_user_email: string | null
}): CommitIdentity {
  return { name: settings.git_user_name || 'Atelier', email: settings.git_user_email || 'atelier@localhost' }
}

/** The identity that commits carry. An image without git is fine. */
export async function setIdentity(
  sandbox: SandboxHandle,
  identity: CommitIdentity,
  signal: AbortSignal,
): Promise<void> {
  await sandbox.exec({ argv: ['/bin/sh', '-c', IDENTITY, 'sh', ...identityArguments(identity)], signal })
}

/**
 * The identity and an empty repository in one command, so that changes can be followed from the start; a folder inside a
 * repository stays a part of it. An image without git is fine.
 */
export async function initRepository(
  sandbox: SandboxHandle,
  folder: string,
  identity: CommitIdentity,
  signal: AbortSignal,
): Promise<void> {
  const argv = ['/bin/sh', '-c', INIT, 'sh', ...identityArguments(identity), folder]
  await sandbox.exec({ argv, signal })
}

/**
 * $1 name, $2 address, $3 a whole configuration: a new sandbox has none, and after the first conversation it has exactly
 * this one. Each call of git costs as much as the rest of the script.
 */
const IDENTITY = `command -v git >/dev/null || exit 0
own=$HOME/.gitconfig
if [ -n "$HOME" ] && [ -z "$GIT_CONFIG_GLOBAL$XDG_CONFIG_HOME" ] && ! [ -e "$HOME/.config/git" ] &&
  { ! [ -e "$own" ] || [ "$(cat "$own"; echo .)" = "$3." ]; }
then [ -e "$own" ] || printf '%s' "$3" >"$own"
else git config --global user.name "$1" && git config --global user.email "$2" && git config --global --replace-all safe.directory "*" '^[*]$'
fi`

/**
 * $4 folder. git is not asked where the folder has all that git takes for a repository (gitrepository-layout(5)), or where
 * nothing above it looks like one.
 */
const INIT = `mkdir -p "$4" || exit
${IDENTITY}
[ -f "$4/.git/HEAD" ] && [ -d "$4/.git/objects" ] && [ -d "$4/.git/refs" ] && exit
above=$4
until [ -e "$above/.git" ] || [ -e "$above/HEAD" ]; do
  [ -n "$above" ] || { git init -q "$4"; exit; }
  above=\${above%/*}
done
git -C "$4" rev-parse --git-dir >/dev/null 2>&1 || git init -q "$4"`

function identityArguments({ name, email }: CommitIdentity): [name: string, email: string, configuration: string] {
  const configuration = `[user]\n\tname = ${quoted(name)}\n\temail = ${quoted(email)}\n[safe]\n\tdirectory = *\n`
  return [name, email, configuration]
}

/** As git-config(1) reads a value. */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

function lastLine(text: string): string | undefined {
  return text
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .at(-1)
}
