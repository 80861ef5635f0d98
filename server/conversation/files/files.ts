import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import type { GitChange, GitDiff } from '../../api/v1/conversation/git-changes.ts'
import { isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { EventLog } from '../../event/log.ts'
import { diffFile, listChanges, type Since, toGitChange } from '../../git/changes.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { maskedValue } from '../../secret/mask/value.ts'
import type { ConversationService } from '../service.ts'
import { textIn } from './file-text.ts'
import { trajectoryArchive } from './trajectory-archive.ts'

/** Where plans lie, and where they lay before. */
const PLAN = '.agents_tmp/PLAN.md'
const EARLIER_PLAN = 'PLAN.md'

interface Dependencies {
  eventLog: EventLog
  conversations: ConversationService
  sandboxes: SandboxService
  mask: Pick<Mask, 'mask'>
}

/** A conversation's files as the newer generation asks for them. Relative paths begin in its working directory. */
export class ConversationFiles {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * The plan when no path is given.
   * @throws AppError conversation_not_found, sandbox_not_running, file_not_found, file_too_large, file_not_text
   */
  async read(id: string, path?: string): Promise<string> {
    const sandbox = await this.#open(id)
    if (path !== undefined) return textAt(sandbox, path)
    try {
      return await textAt(sandbox, PLAN)
    } catch (error) {
      if (!isAppError(error, 'file_not_found')) throw error
      return textAt(sandbox, EARLIER_PLAN).catch(other => {
        throw isAppError(other, 'file_not_found') ? error : other
      })
    }
  }

  async changes(id: string, path: string | null | undefined, signal: AbortSignal): Promise<GitChange[]> {
    const sandbox = await this.#open(id)
    try {
      const changes = await listChanges(sandbox, inside(sandbox, path ?? '.'), signal, this.#since(id))
      return maskedValue(changes.map(toGitChange), this.#dependencies.mask.mask)
    } catch (error) {
      if (isAppError(error, 'not_a_repository')) return []
      throw error
    }
  }

  async diff(id: string, path: string, signal: AbortSignal): Promise<GitDiff> {
    const sandbox = await this.#open(id)
    const diff = await diffFile(sandbox, sandbox.workingDir, inside(sandbox, path), signal, this.#since(id))
    return maskedValue(diff, this.#dependencies.mask.mask)
  }

  async download(id: string): Promise<Readable> {
    const { conversations, eventLog } = this.#dependencies
    const { session_api_key: _, ...shown } = await conversations.get(id)
    const known = conversations.find(id).id
    return trajectoryArchive(shown, new Date(shown.updated_at), (from, limit) => eventLog.read(known, from, limit))
  }

  #since(id: string): Since {
    return { began: new Date(this.#dependencies.conversations.find(id).created_at) }
  }

  async #open(id: string): Promise<SandboxHandle> {
    const { sandbox_id, working_dir } = this.#dependencies.conversations.find(id)
    return this.#dependencies.sandboxes.open(sandbox_id, working_dir)
  }
}

function inside(sandbox: SandboxHandle, path: string): string {
  return posix.resolve(sandbox.workingDir, path)
}

async function textAt(sandbox: SandboxHandle, path: string): Promise<string> {
  return textIn(await sandbox.readFile(inside(sandbox, path)), path)
}
