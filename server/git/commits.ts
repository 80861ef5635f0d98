import type { GatewayGitCommit } from '../api/agent-server/git.ts'
import type { GitChange } from '../api/v1/conversation/git-changes.ts'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'

const MAX_BYTES = 8 * 2 ** 20
/** Fields end with NUL, and a commit with an empty one more: a subject holds neither. */
const FORMAT = '--format=%H%x00%h%x00%s%x00%an%x00%cI%x00'

/** From the present commit backwards. A repository without a commit, and a folder without a repository, has none. */
export async function listCommits(
  sandbox: SandboxHandle,
  folder: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ commits: GatewayGitCommit[]; has_more: boolean }> {
  const argv = ['git', 'log', '-z', FORMAT, `--max-count=${limit + 1}`]
  const { exitCode, stdout } = await sandbox.exec({ argv, cwd: folder, maxBytes: MAX_BYTES, signal })
  if (exitCode !== 0) return { commits: [], has_more: false }
  const fields = stdout.split('\0')
  const commits: GatewayGitCommit[] = []
  for (let at = 0; at + 5 < fields.length; at += 6) {
    const [sha = '', short_sha = '', subject = '', author = '', timestamp = ''] = fields.slice(at, at + 5)
    commits.push({ sha, short_sha, subject, author, timestamp })
  }
  return { commits: commits.slice(0, limit), has_more: commits.length > limit }
}

/** @throws AppError not_found when there is no such commit */
export async function listCommitChanges(
  sandbox: SandboxHandle,
  folder: string,
  sha: string,
  signal: AbortSignal,
): Promise<GitChange[]> {
  const shown = ['show', '-z', '--format=', '--name-status', '-M', '-m', '--first-parent', '--no-ext-diff']
  const argv = ['git', ...shown, `${sha}^{commit}`, '--']
  const { exitCode, stdout } = await sandbox.exec({ argv, cwd: folder, maxBytes: MAX_BYTES, signal })
  if (exitCode !== 0)
    throw new AppError('not_found', `There is no commit ${sha} in this repository. Name one of its commits.`)
  return parseChanges(stdout.split('\0'))
}

/** A moved file has its old path before the new one. */
function parseChanges(fields: readonly string[]): GitChange[] {
  const changes: GitChange[] = []
  for (let at = 0; fields[at]; ) {
    const letter = (fields[at] ?? '').charAt(0)
    const moved = letter === 'R' || letter === 'C'
    const path = fields[at + (moved ? 2 : 1)] ?? ''
    changes.push({ status: STATUS[letter] ?? 'UPDATED', path })
    at += moved ? 3 : 2
  }
  return changes
}

const STATUS: Readonly<Record<string, GitChange['status']>> = { A: 'ADDED', C: 'ADDED', D: 'DELETED', R: 'MOVED' }
