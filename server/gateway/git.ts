import { posix } from 'node:path'
import { AppError, isAppError } from '../errors.ts'
import { type Compared, diffFile, listChanges, toGitChange } from '../git/changes.ts'
import { listCommitChanges, listCommits } from '../git/commits.ts'
import type { SandboxHandle } from '../sandbox/handle.ts'
import type { Access } from './access.ts'
import type { GatewaySandboxes } from './sandboxes.ts'

/** Repositories of the caller's sandbox. Paths are absolute. */
export class GatewayGit {
  readonly #sandboxes: GatewaySandboxes

  constructor(sandboxes: GatewaySandboxes) {
    this.#sandboxes = sandboxes
  }

  /** Nothing where there is no repository, as existing clients expect. */
  async changes(access: Access, path: string, ref: string | null | undefined, signal: AbortSignal) {
    const sandbox = await this.#open(access, path, signal)
    try {
      const changes = await listChanges(sandbox, path, signal, ref ?? '')
      return changes.map(toGitChange)
    } catch (error) {
      if (isAppError(error, 'not_a_repository')) return []
      throw error
    }
  }

  async diff(access: Access, path: string, compared: Compared, signal: AbortSignal) {
    if (compared.ref && compared.commit) throw new AppError('bad_request', 'Give ref or commit, not both.')
    const sandbox = await this.#open(access, path, signal)
    return diffFile(sandbox, posix.dirname(path), posix.basename(path), signal, compared)
  }

  async commits(access: Access, path: string, limit: number, signal: AbortSignal) {
    return listCommits(await this.#open(access, path, signal), path, limit, signal)
  }

  /** @throws AppError not_found */
  async commitChanges(access: Access, path: string, sha: string, signal: AbortSignal) {
    return listCommitChanges(await this.#open(access, path, signal), path, sha, signal)
  }

  async #open(access: Access, path: string, signal: AbortSignal): Promise<SandboxHandle> {
    if (!path.startsWith('/') || path.includes('\0')) throw new AppError('bad_request', 'Path must be absolute')
    return this.#sandboxes.open(access, signal)
  }
}
