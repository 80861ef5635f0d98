import { posix } from 'node:path'
import { AppError } from '../domain/errors.ts'
import { randomToken } from '../domain/ids.ts'
import type { CommandResult, SandboxHandle } from '../domain/sandbox-handle.ts'
import type { GitCredentials } from '../git-providers/provider.ts'
import { outboundErrorIn } from '../outbound/problem.ts'
import { addressOnHost } from './address.ts'
import { presentedAt } from './credentials.ts'
import type { RepositoryAddress } from './repository.ts'
import { fetchBundle } from './transfer/remote-bundle.ts'

const CLONE_TIMEOUT_MS = 15 * 60_000

/** A repository, and the branch or tag that is checked out: null is its default branch. */
export type ClonedRepository = RepositoryAddress & { branch: string | null }

export interface CloneOptions {
  onProgress: (line: string) => void
  signal: AbortSignal
  credentials: GitCredentials | undefined
  /** With which the service fetches what the sandbox does not reach. */
  fetch: typeof globalThis.fetch
  /** The service fetches in any case: credentials are not for the programs of this sandbox. */
  isFetched?: boolean
}

/**
 * Clones into `<working dir>/<name>` and returns that path. Where the network of the sandbox does not lead to the
 * repository, the service fetches it and hands it in.
 * @throws AppError clone_failed, and where the service fetches git_refused, provider_token_invalid,
 * provider_token_missing and provider_unavailable
 */
export async function cloneRepository(
  sandbox: SandboxHandle,
  repository: ClonedRepository,
  options: CloneOptions,
): Promise<string> {
  const { hostname, port } = serverOf(repository.url)
  if (options.isFetched || (await sandbox.isClosedTo(hostname, port))) return cloneFetched(sandbox, repository, options)
  const presented = presentedAt(repository.url, options.credentials)
  const result = await runClone(sandbox, repository, {
    ...options,
    configuration: presented.options,
    env: { ...presented.env, GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new' },
  })
  if (result.exitCode === 0) return folderOf(sandbox, repository)
  const refusal = await sandbox.refuses(hostname, port)
  throw refusal === 'private' ? closedHost(repository.url, `${hostname}:${port}`) : cloneFailed(repository, result)
}

/** git in the sandbox clones from a file in the place of the address, so that everything is as after any other clone. */
async function cloneFetched(
  sandbox: SandboxHandle,
  repository: ClonedRepository,
  options: CloneOptions,
): Promise<string> {
  const { url, branch } = repository
  const { onProgress, signal } = options
  const folder = folderOf(sandbox, repository)
  if (!/^https?:/.test(url)) throw notOverHttp(url)
  const looked = await sandbox.exec({ argv: ['/bin/sh', '-c', LOOK, 'sh', folder], signal })
  if (looked.exitCode !== 0) throw cloneFailed(repository, looked)
  const isThere = looked.stdout.trim() === 'empty'
  const file = `/tmp/atelier-clone-${randomToken(12)}.bundle`
  onProgress(`Fetching ${url}`)
  const bundle = await fetchBundle({ ...options, url: addressOnHost(new URL(url)) }, branch).catch(error => {
    throw outboundErrorIn(error)?.problem === 'private-host' ? notAllowed(url) : error
  })
  // git itself removes what it has begun, but not when it is stopped.
  const remove = () => sandbox.exec({ argv: ['/bin/sh', '-c', REMOVE, 'sh', folder, isThere ? 'yes' : ''] })
  try {
    await sandbox.receiveFile(file, counted(bundle.bytes, onProgress), signal)
    const { defaultBranch } = bundle
    const cloning = runClone(sandbox, repository, {
      ...options,
      configuration: [
        ...['-c', `url.${file}.insteadOf=${url}`, '-c', 'core.hooksPath=/dev/null'],
        ...(defaultBranch === null ? [] : ['-c', `init.defaultBranch=${defaultBranch}`]),
      ],
      // Files of Git LFS stay their pointers: what they stand for is at the same host.
      env: { GIT_LFS_SKIP_SMUDGE: '1' },
    })
    const result = await cloning.catch(async error => {
      await remove().catch(() => {})
      throw error
    })
    if (result.exitCode === 0) return folder
    if (result.timedOut) await remove().catch(() => {})
    throw cloneFailed(repository, result)
  } finally {
    await bundle.close()
    await sandbox.exec({ argv: ['rm', '-f', '--', file] }).catch(() => {})
  }
}

/** $1 folder. Prints whether it is there and empty; otherwise fails as git does, before anything is fetched. */
const LOOK = `command -v git >/dev/null || exit 127
if ! [ -e "$1" ] && ! [ -L "$1" ]; then exit 0; fi
if [ -d "$1" ] && [ -z "$(ls -A "$1")" ]; then echo empty; exit 0; fi
echo "fatal: destination path '$1' already exists and is not an empty directory." >&2
exit 128`

/** $1 folder, $2 whether it itself was there before. */
const REMOVE = `if [ -n "$2" ]; then find "$1" -mindepth 1 -delete; else rm -rf -- "$1"; fi`

async function* counted(bytes: AsyncIterable<Buffer>, onProgress: (line: string) => void): AsyncGenerator<Buffer> {
  let received = 0
  for await (const chunk of bytes) {
    received += chunk.length
    onProgress(`Receiving ${(received / 1e6).toFixed(1)} MB`)
    yield chunk
  }
}

function runClone(
  sandbox: SandboxHandle,
  repository: ClonedRepository,
  {
    configuration,
    env,
    onProgress,
    signal,
  }: Pick<CloneOptions, 'onProgress' | 'signal'> & { configuration: string[]; env: Record<string, string> },
): Promise<CommandResult> {
  const branch = repository.branch ? ['--branch', repository.branch] : []
  const folder = folderOf(sandbox, repository)
  return sandbox.exec({
    argv: ['git', ...configuration, 'clone', '--progress', ...branch, '--', repository.url, folder],
    env: { ...env, GIT_TERMINAL_PROMPT: '0' },
    timeoutMs: CLONE_TIMEOUT_MS,
    signal,
    onOutput: text => {
      const line = lastLine(text)
      if (line) onProgress(line)
    },
  })
}

function folderOf({ workingDir }: SandboxHandle, { name }: RepositoryAddress): string {
  return posix.join(workingDir, name)
}

function closedHost(url: string, host: string): AppError {
  return privateHost(url, host, 'and sandboxes do not reach those')
}

/** For a host that the service would ask. */
function notAllowed(url: string): AppError {
  const { hostname, port } = serverOf(addressOnHost(new URL(url)))
  return privateHost(url, `${hostname}:${port}`, 'which a repository may not name')
}

function privateHost(url: string, host: string, why: string): AppError {
  return new AppError(
    'clone_failed',
    `git could not clone ${url}. ${host} is this machine or a machine of its network, ${why}. Allow ${host} in Settings › Privacy (allowed_hosts), then try again.`,
    { details: { host, setting: 'allowed_hosts' } },
  )
}

function notOverHttp(url: string): AppError {
  const { hostname, port } = serverOf(url)
  return new AppError(
    'clone_failed',
    `git could not clone ${url}. The network of this sandbox does not lead to ${hostname}, so Atelier would fetch the repository itself, which it does by https alone. Give its https address, or choose a sandbox whose network reaches ${hostname}:${port}.`,
  )
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80, 'ssh:': 22, 'git:': 9418 }

function serverOf(url: string): { hostname: string; port: number } {
  const scp = /^[^/:]+@([^/:]+):(?!\/)/.exec(url)
  if (scp) return { hostname: scp[1] ?? '', port: 22 }
  const { protocol, hostname, port } = new URL(url)
  return { hostname, port: Number(port) || (DEFAULT_PORTS[protocol] ?? 0) }
}

function cloneFailed({ url }: RepositoryAddress, result: Omit<CommandResult, 'stdout'>): AppError {
  if (result.exitCode === 127 || result.exitCode === 126) {
    return new AppError(
      'clone_failed',
      "This sandbox's image has no git. Choose an image with git, or start without a repository.",
    )
  }
  if (result.timedOut) {
    return new AppError('clone_failed', `Cloning ${url} took longer than 15 minutes. Check the network and try again.`)
  }
  const said = result.stderr
    .split(/[\r\n]+/)
    .filter(line => /^(fatal|error|remote):/.test(line))
    .slice(-3)
    .join(' ')
  return new AppError(
    'clone_failed',
    `git could not clone ${url}. ${said || `It ended with exit code ${result.exitCode}.`}`,
  )
}

function lastLine(text: string): string | undefined {
  return text
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .at(-1)
}
