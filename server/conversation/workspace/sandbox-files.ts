import type { RouteBody, RouteReply } from '../../api/contract/route.ts'
import type * as routes from '../../api/v1/sandbox/files.ts'
import type { ByteRange, SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { PageQuery } from '../../paging/page.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { ConversationService } from '../service.ts'
import { type Download, openDownload } from './downloads.ts'
import { createEntry, moveEntry } from './entries.ts'
import { FolderLists } from './folder-lists.ts'
import { absolutePath } from './paths.ts'
import { placeOf } from './place.ts'
import { findByWords } from './search.ts'
import { readText, saveText } from './texts.ts'
import { deleteEntry, emptyTrash, listTrash, restoreEntry } from './trash.ts'
import { type Existing, receiveUpload } from './uploads.ts'

interface Dependencies {
  conversations: ConversationService
  sandboxes: SandboxService
}

/**
 * The files of a conversation's sandbox for a person, who may do in it what its programs may. Relative paths begin in its working
 * directory, and every link is followed in the sandbox. What is shown is byte-true, as it is to be written back.
 */
export class SandboxFiles {
  readonly #dependencies: Dependencies
  readonly #lists = new FolderLists()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async list(id: string, { path, ...page }: PageQuery & { path?: string | undefined }, signal: AbortSignal) {
    const sandbox = await this.#open(id)
    return this.#lists.page(sandbox, absolutePath(sandbox, path ?? '.'), page, signal)
  }

  async find(id: string, text: string, signal: AbortSignal) {
    return findByWords(await this.#open(id), text, signal)
  }

  async text(id: string, path: string): Promise<routes.FileText> {
    const sandbox = await this.#open(id)
    return readText(sandbox, absolutePath(sandbox, path))
  }

  async save(id: string, { path, ...text }: RouteBody<typeof routes.saveFileText>) {
    const sandbox = await this.#open(id)
    return saveText(sandbox, absolutePath(sandbox, path), text)
  }

  async download(id: string, path: string, rangeOf: (sizeBytes: number) => ByteRange): Promise<Download> {
    const sandbox = await this.#open(id)
    return openDownload(sandbox, absolutePath(sandbox, path), rangeOf)
  }

  async upload(
    id: string,
    asked: { path: string; existing: Existing },
    content: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof routes.uploadFileContent>> {
    return receiveUpload(await this.#open(id), asked, content, signal)
  }

  async create(id: string, asked: RouteBody<typeof routes.createFile>, signal: AbortSignal) {
    return createEntry(await this.#open(id), asked, signal)
  }

  async move(id: string, asked: RouteBody<typeof routes.moveFile>, signal: AbortSignal) {
    return moveEntry(await this.#open(id), asked, signal)
  }

  async delete(id: string, path: string, signal: AbortSignal) {
    const conversation = this.#dependencies.conversations.find(id).id
    return deleteEntry(await this.#open(id), { conversation, path }, signal)
  }

  async restore(id: string, trashId: string, signal: AbortSignal) {
    const conversation = this.#dependencies.conversations.find(id).id
    return restoreEntry(await this.#open(id), { conversation, trashId }, signal)
  }

  async trash(id: string, signal: AbortSignal) {
    return { items: await listTrash(await this.#open(id), this.#dependencies.conversations.find(id).id, signal) }
  }

  async emptyTrash(id: string, signal: AbortSignal) {
    await emptyTrash(await this.#open(id), this.#dependencies.conversations.find(id).id, signal)
  }

  async place(id: string, path = '.'): Promise<RouteReply<typeof routes.getFilePlace>> {
    const { mounted_folder, working_dir } = this.#dependencies.conversations.find(id)
    const sandbox = await this.#open(id)
    return placeOf(sandbox, absolutePath(sandbox, path), { folder: mounted_folder, at: working_dir })
  }

  async #open(id: string): Promise<SandboxHandle> {
    const { sandbox_id, working_dir } = this.#dependencies.conversations.find(id)
    return this.#dependencies.sandboxes.open(sandbox_id, working_dir)
  }
}
