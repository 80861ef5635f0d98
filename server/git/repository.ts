import { holdsSecretParameter } from '../api/url-credentials.ts'
import type { GitProvider } from '../api/v1/conversation/conversations.ts'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { baseOf } from '../git-providers/provider.ts'
import { originOf, providerAt, providerOf } from '../git-providers/providers.ts'
import type { ProviderTokenRow } from '../store/provider-tokens.ts'
import { addressInSandbox } from './address.ts'
import { isBranchRef } from './names.ts'

/** Where to clone from, and the folder name it gets. */
export interface RepositoryAddress {
  url: string
  name: string
}

/**
 * A git URL (https, http, ssh, git, or `user@host:path`), or `owner/name` on a provider: at the host for which its token
 * is stored, or at its own. Localhost is reached from a sandbox as `host.docker.internal`. Credentials in a URL are refused: they would end up in `.git/config`.
 * @throws AppError bad_request
 */
export function parseRepository(
  text: string,
  provider: GitProvider,
  stored?: Pick<ProviderTokenRow, 'host' | 'software'>,
): RepositoryAddress {
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

function parseUrl(repository: string): RepositoryAddress {
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
