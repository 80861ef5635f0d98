import { createMutex } from '../../async/mutex.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { randomToken } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { BaseFile, FolderCopyRecord } from '../../folder/copies.ts'
import type { Folders } from '../../folder/folders.ts'
import { addObjects } from '../../folder/objects.ts'
import type { OpenFolder } from '../../folder/open.ts'
import type { PlannedFile } from '../../folder/plan.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { ConversationService } from '../service.ts'
import { claimedSizes, receiveObjects } from './sandbox-result.ts'

interface Dependencies {
  conversations: Pick<ConversationService, 'find'>
  sandboxes: SandboxService
  folders: Folders
}

/** A conversation's sandbox beside the folder that was copied into it. */
export interface OpenedWork {
  id: ConversationId
  record: FolderCopyRecord
  sandbox: SandboxHandle
  folder: OpenFolder
  /** A path in the sandbox for what is needed meanwhile; it is removed in the end. */
  place: string
  /** Aborted too when Atelier closes. */
  signal: AbortSignal
}

/** What is done with the folders of conversations, one at a time: two conversations may have the same folder. */
export class FolderWork {
  readonly alone = createMutex()
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** @throws AppError bad_request for a conversation without a folder, file_not_found, and as the sandbox is opened */
  open<T>(given: string, asked: AbortSignal, work: (opened: OpenedWork) => Promise<T>): Promise<T> {
    const { conversations, sandboxes, folders } = this.#dependencies
    const { id, sandbox_id, working_dir, mounted_folder } = conversations.find(given)
    if (mounted_folder !== null) {
      throw new AppError('bad_request', `What the agent changes is in ${mounted_folder} at once. Look at it there.`)
    }
    return this.alone(async () => {
      const sandbox = await sandboxes.open(sandbox_id, working_dir)
      const record = await folders.copies.find(id)
      const place = `/tmp/atelier-apply-${randomToken(8)}`
      try {
        return await folders.open(record.path, asked, (folder, signal) =>
          work({ id, record, sandbox, folder, place, signal }),
        )
      } finally {
        await sandbox.exec({ argv: ['rm', '-rf', '--', place] }).catch(() => {})
      }
    })
  }
}

/** What is too large is refused; the rest is there as objects of the folder's git. */
export async function fetchWanted(opened: OpenedWork, planned: readonly PlannedFile[]): Promise<void> {
  const { sandbox, folder, place, signal } = opened
  const wanted = new Set(planned.flatMap(({ state, wanted }) => (state !== 'refused' && wanted ? [wanted.object] : [])))
  if (wanted.size === 0) return
  const sizes = await claimedSizes(sandbox, [...wanted], signal)
  for (const file of planned) {
    const size = file.wanted ? sizes.get(file.wanted.object) : 0
    if (file.state === 'refused' || (size !== undefined && size <= BOUNDS.folderChangedFile.limit)) continue
    file.state = 'refused'
    file.reason = size === undefined ? 'The sandbox does not have its content.' : 'It is too large to be applied.'
    if (file.wanted) wanted.delete(file.wanted.object)
  }
  const objects = [...wanted].map(object => ({ object, size: sizes.get(object) ?? 0 }))
  if (objects.reduce((sum, { size }) => sum + size, 0) > BOUNDS.folderChangedBytes.limit) {
    throw new AppError(
      'bad_request',
      'The changed files are too large to be applied at once. Download a patch instead.',
    )
  }
  if (objects.length === 0) return
  await addObjects(folder, receiveObjects(sandbox, objects, { place, signal }), signal)
}

export function sideOf(planned: readonly PlannedFile[], side: 'now' | 'wanted'): Map<string, BaseFile> {
  return new Map(
    planned.flatMap(file => {
      const found = file.state === 'refused' ? null : file[side]
      return found ? [[file.path, found] as const] : []
    }),
  )
}
