import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ATTACHMENTS_FOLDER, attachedFilesText } from '../../api/attached-files.ts'
import type { SendMessageRequest } from '../../api/event/events.ts'
import type { Attachment } from '../../api/v1/conversation/attachments.ts'
import type { AppConversationStartRequest } from '../../api/v1/conversation/starts.ts'
import { diskRefusal } from '../../disk/failure.ts'
import { makeFolder } from '../../disk/make-folder.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { type ConversationId, randomToken } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { receiveUpload } from '../workspace/uploads.ts'

/** An id is the name of a file, so it is nothing else. */
const ID = /^[\w-]{1,100}$/

type Files = Pick<AppConversationStartRequest, 'attachments'>

/** Files that wait for a conversation to begin with them: its sandbox is not there yet. */
export class Attachments {
  readonly #folder: string

  /** @param folder made with the first of them */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws AppError too_large, disk_full, store_unavailable */
  async receive(content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<{ id: string; size_bytes: number }> {
    await this.#requireRoom()
    const id = randomToken(12)
    const path = this.#pathOf(id)
    try {
      makeFolder(this.#folder)
      await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
      return { id, size_bytes: (await stat(path)).size }
    } catch (error) {
      await rm(path, { force: true })
      throw diskRefusal(error, this.#folder)
    }
  }

  /** @throws AppError not_found for a file that is not kept, or not any more */
  requireKept({ attachments }: Files): void {
    for (const { id, name } of attachments ?? []) {
      if (ID.test(id) && existsSync(this.#pathOf(id))) continue
      throw new AppError(
        'not_found',
        `The attached file “${name}” is not kept any more. Remove it, then attach it again.`,
      )
    }
  }

  /** @throws AppError not_found */
  async delete(id: string): Promise<void> {
    this.requireKept({ attachments: [{ id, name: id }] })
    await this.forget({ attachments: [{ id }] })
  }

  /** Those that were used, or never will be. Never rejects. */
  async forget({ attachments }: { attachments?: readonly Pick<Attachment, 'id'>[] | null | undefined }): Promise<void> {
    // What cannot be removed now goes with a later file.
    for (const { id } of attachments ?? []) if (ID.test(id)) await rm(this.#pathOf(id), { force: true }).catch(() => {})
  }

  /**
   * Puts the files into the sandbox, and their paths at the end of the message. They stay here, for a start that fails.
   * @throws AppError not_found for a file that is not kept any more
   */
  async handOver(
    sandbox: SandboxHandle,
    message: SendMessageRequest,
    { request, conversation, signal }: { request: Files; conversation: ConversationId; signal: AbortSignal },
  ): Promise<SendMessageRequest> {
    const paths: string[] = []
    for (const attachment of request.attachments ?? []) {
      this.requireKept({ attachments: [attachment] })
      // A folder of its own: another conversation may begin in the same sandbox, with files of the same names.
      const folder = `${ATTACHMENTS_FOLDER}/${conversation.slice(0, 8)}`
      const place = { path: `${folder}/${attachment.name}`, existing: 'keep_both' as const }
      const content = createReadStream(this.#pathOf(attachment.id))
      // It may fail before it is read; its reader gets the error all the same.
      content.on('error', () => {})
      const { path } = await receiveUpload(sandbox, place, content, signal).finally(() => content.destroy())
      paths.push(path)
    }
    return paths.length > 0 ? withText(message, attachedFilesText(paths)) : message
  }

  async #requireRoom(): Promise<void> {
    const { bytes, files } = await this.#tidy()
    if (bytes < BOUNDS.waitingAttachments.limit && files < BOUNDS.waitingAttachmentFiles.limit) return
    throw new AppError(
      'too_large',
      'The files that wait for conversations are too many. Start those conversations, or remove some of their files.',
    )
  }

  /** Removes what has waited for too long. @returns what is left */
  async #tidy(): Promise<{ bytes: number; files: number }> {
    const left = { bytes: 0, files: 0 }
    const oldest = Date.now() - BOUNDS.attachmentAge.limit
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const facts = await stat(this.#pathOf(name)).catch(() => null)
      if (facts && facts.mtimeMs < oldest) await this.forget({ attachments: [{ id: name }] })
      else if (facts) {
        left.bytes += facts.size
        left.files++
      }
    }
    return left
  }

  #pathOf(id: string): string {
    return join(this.#folder, id)
  }
}

/** At the end of its text, as a person's window writes it. */
function withText(message: SendMessageRequest, added: string): SendMessageRequest {
  const last = message.content.findLastIndex(({ type }) => type === 'text')
  const content = message.content.map((part, at) =>
    at === last && part.type === 'text' ? { ...part, text: `${part.text}\n\n${added}`.trimStart() } : part,
  )
  return { ...message, content: last === -1 ? [...content, { type: 'text', text: added }] : content }
}
