import { createReadStream, createWriteStream, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
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
  /** Ids of those that a start under way uses. */
  readonly #claimed = new Set<string>()
  /** Bytes of all files that came since the service began. */
  #arrived = 0

  /** @param folder made with the first of them */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws AppError too_large, disk_full, store_unavailable */
  async receive(content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<{ id: string; size_bytes: number }> {
    const id = randomToken(12)
    const path = this.#pathOf(id)
    try {
      makeFolder(this.#folder)
      await this.#tidy()
      const waiting = this.#waiting()
      const bytes = waiting.reduce((sum, { size }) => sum + size, 0)
      if (waiting.length >= BOUNDS.waitingAttachmentFiles.limit) throw tooMany()
      // Its file is there at once: those that come at the same time count it.
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
      await pipeline(this.#bounded(content, bytes), createWriteStream(path), { signal })
      return { id, size_bytes: (await stat(path)).size }
    } catch (error) {
      await rm(path, { force: true })
      throw diskRefusal(error, this.#folder)
    }
  }

  /** Counts what comes with other files meanwhile too. @param bytes what was there before */
  async *#bounded(content: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
    const before = this.#arrived
    for await (const chunk of content) {
      this.#arrived += chunk.length
      if (bytes + this.#arrived - before > BOUNDS.waitingAttachments.limit) throw tooMany()
      yield chunk
    }
  }

  /**
   * Keeps the files for one start. @returns lets others have them again
   * @throws AppError not_found for a file that is not kept, or not any more, conflict for one that another start uses
   */
  claim(files: Files): () => void {
    this.#requireKept(files)
    const claimed = files.attachments ?? []
    for (const attachment of claimed) this.#requireFree(attachment)
    for (const { id } of claimed) this.#claimed.add(id)
    return () => {
      for (const { id } of claimed) this.#claimed.delete(id)
    }
  }

  #requireKept({ attachments }: Files): void {
    for (const { id, name } of attachments ?? []) {
      if (ID.test(id) && existsSync(this.#pathOf(id))) continue
      throw new AppError(
        'not_found',
        `The attached file “${name}” is not kept any more. Remove it, then attach it again.`,
      )
    }
  }

  #requireFree({ id, name }: Attachment): void {
    if (!this.#claimed.has(id)) return
    throw new AppError(
      'conflict',
      `A conversation is starting with the attached file “${name}”. Attach the file again, or cancel that start.`,
    )
  }

  /** @throws AppError not_found, conflict while a start uses it */
  async delete(id: string): Promise<void> {
    const file = { id, name: id }
    this.#requireKept({ attachments: [file] })
    this.#requireFree(file)
    this.#claimed.add(id)
    await this.forget({ attachments: [{ id }] })
  }

  /** Removes those that were used, or never will be. Never rejects. */
  async forget({ attachments }: { attachments?: readonly Pick<Attachment, 'id'>[] | null | undefined }): Promise<void> {
    for (const { id } of attachments ?? []) {
      // What cannot be removed now goes with a later file.
      if (ID.test(id)) await rm(this.#pathOf(id), { force: true }).catch(() => {})
      this.#claimed.delete(id)
    }
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
      this.#requireKept({ attachments: [attachment] })
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

  /** Removes what has waited for too long. */
  async #tidy(): Promise<void> {
    const oldest = Date.now() - BOUNDS.attachmentAge.limit
    const old = this.#waiting().filter(({ id, mtimeMs }) => mtimeMs < oldest && !this.#claimed.has(id))
    for (const { id } of old) this.#claimed.add(id)
    await this.forget({ attachments: old })
  }

  /** With those that are arriving. */
  #waiting(): { id: string; size: number; mtimeMs: number }[] {
    return readdirSync(this.#folder).flatMap(id => {
      const facts = statSync(this.#pathOf(id), { throwIfNoEntry: false })
      return facts ? [{ id, size: facts.size, mtimeMs: facts.mtimeMs }] : []
    })
  }

  #pathOf(id: string): string {
    return join(this.#folder, id)
  }
}

function tooMany(): AppError {
  return new AppError(
    'too_large',
    'The files that wait for conversations are too many. Start those conversations, or remove some of their files.',
  )
}

/** At the end of its text, as a person's window writes it. */
function withText(message: SendMessageRequest, added: string): SendMessageRequest {
  const last = message.content.findLastIndex(({ type }) => type === 'text')
  const content = message.content.map((part, at) =>
    at === last && part.type === 'text' ? { ...part, text: `${part.text}\n\n${added}`.trimStart() } : part,
  )
  return { ...message, content: last === -1 ? [...content, { type: 'text', text: added }] : content }
}
