import { posix } from 'node:path'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { type Compared, diffFile, listChanges, toGitChange } from '../../git/changes.ts'
import { listCommitChanges, listCommits } from '../../git/commits.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { maskedValue } from '../../secret/mask/value.ts'
import type { Access } from '../access.ts'
import type { GatewaySandboxes } from '../sandboxes.ts'

/** Repositories of the caller's sandbox. Paths are absolute. */
export class GatewayGit {
  readonly #sandboxes: GatewaySandboxes
  readonly #mask: Pick<Mask, 'mask'>

  /** @param mask for what is to be looked at, not to be written back */
  constructor(sandboxes: GatewaySandboxes, mask: Pick<Mask, 'mask'>) {
    this.#sandboxes = sandboxes
    this.#mask = mask
  }

  /** Nothing where there is no repository, as existing clients expect. */
  async changes(access: Access, path: string, ref: string | null | undefined, signal: AbortSignal) {
    const sandbox = await this.#open(access, path, signal)
    try {
      const changes = await listChanges(sandbox, path, signal, { ref })
      return maskedValue(changes.map(toGitChange), this.#mask.mask)
    } catch (error) {
      if (isAppError(error, 'not_a_repository')) return []
      throw error
    }
  }

  /** Both null where there is no repository, as existing clients expect. */
  async diff(access: Access, path: string, compared: Compared, signal: AbortSignal) {
    if (compared.ref && compared.commit) throw new AppError('bad_request', 'Give ref or commit, not both.')
    const sandbox = await this.#open(access, path, signal)
    try {
      const diff = await diffFile(sandbox, posix.dirname(path), posix.basename(path), signal, compared)
      return maskedValue(diff, this.#mask.mask)
    } catch (error) {
      if (isAppError(error, 'not_a_repository')) return { original: null, modified: null }
      throw error
    }
  }

  async commits(access: Access, path: string, limit: number, signal: AbortSignal) {
    return maskedValue(await listCommits(await this.#open(access, path, signal), path, limit, signal), this.#mask.mask)
  }

  /** @throws AppError not_found */
  async commitChanges(access: Access, path: string, sha: string, signal: AbortSignal) {
    return maskedValue(
      await listCommitChanges(await this.#open(access, path, signal), path, sha, signal),
      this.#mask.mask,
    )
  }

  async #open(access: Access, path: string, signal: AbortSignal): Promise<SandboxHandle> {
    if (!path.startsWith('/') || path.includes('\0')) throw new AppError('bad_request', 'Path must be absolute')
    return this.#sandboxes.open(access, signal)
  }
}
