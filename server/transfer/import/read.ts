import { event as anyEvent } from '../../api/event/events.ts'
import type { DataProgress } from '../../api/v1/transfer/exports.ts'
import { isRecord } from '../../domain/is-record.ts'
import { maskedFreeText } from '../../secret/mask/free-text.ts'
import { createMask } from '../../secret/mask/mask.ts'
import { placeholderOf } from '../../store/database/damaged-event.ts'
import type { StoredEvent } from '../../store/events.ts'
import { DOCUMENTS } from '../documents.ts'
import {
  type ConversationLine,
  conversationFile,
  conversationLine,
  damagedFile,
  idInName,
  PARTS,
  type PartName,
  parseJson,
} from '../format.ts'
import { ImportedArchive } from './archive.ts'
import type { ConversationPiece, FoundContents, ImportThreadData } from './messages.ts'

/** Who takes what is read. */
export interface DataReader {
  progress(progress: DataProgress): void
  /** Awaited, so that no more is read than is stored. */
  give(piece: ConversationPiece): Promise<void>
}

const BATCH = 200
const BATCH_CHARACTERS = 1024 * 1024

/**
 * Reads a file from end to end, and compares each part with its sum. With `skipped` it gives the other conversations out on
 * the way.
 * @throws AppError bad_request, too_large, in words for whoever chose the file
 */
export async function readDataFile(
  { path, skipped, secrets }: ImportThreadData,
  reader: DataReader,
): Promise<FoundContents> {
  const { mask } = createMask(secrets)
  const archive = await ImportedArchive.open(path)
  try {
    const names = archive.conversations()
    const { counts } = archive.manifest
    if (counts.conversations !== names.length) throw damagedFile('its list of contents counts other conversations')
    const parts = skipped === null ? await readParts(archive) : {}
    const wanted = new Set(names)
    for (const id of skipped ?? []) wanted.delete(conversationFile(id))
    const progress = {
      conversations: 0,
      conversations_total: wanted.size,
      events: 0,
      events_total: skipped === null ? counts.events : 0,
    }
    let unreadable = 0
    const conversations: string[] = []
    for (const name of names) {
      const id = idInName(name)
      if (id === undefined || !wanted.has(name)) continue
      conversations.push(id)
      const one = new ConversationReader({ id, name, mask, reader: skipped === null ? undefined : reader })
      for await (const line of archive.lines(name)) {
        await one.take(line)
        if (!one.isBetweenBatches) continue
        reader.progress({ ...progress, events: progress.events + one.events })
      }
      await one.end()
      progress.events += one.events
      unreadable += one.unreadable
      progress.conversations++
      reader.progress(progress)
    }
    return { manifest: archive.manifest, parts, conversations, events: progress.events, unreadable }
  } finally {
    archive.close()
  }
}

/** Those that are not encrypted fit their schemas. */
async function readParts(archive: ImportedArchive): Promise<Partial<Record<PartName, string>>> {
  const found: Partial<Record<PartName, string>> = {}
  for (const [part, name] of Object.entries(PARTS) as [PartName, string][]) {
    const text = await archive.text(name)
    if (text === undefined) continue
    const value = parseJson(Buffer.from(text), name)
    if (part !== 'secretValues') {
      const { error } = DOCUMENTS[part].safeParse(value)
      if (error) throw damagedFile(`${name} is wrong at ${error.issues[0]?.path.join('.')}`)
    }
    found[part] = text
  }
  return found
}

interface Of {
  id: string
  name: string
  mask: (text: string) => string
  /** undefined only checks. */
  reader: DataReader | undefined
}

/** One conversation, line by line. */
class ConversationReader {
  events = 0
  unreadable = 0
  isBetweenBatches = false
  readonly #of: Of
  #hasBegun = false
  #batch: StoredEvent[] = []
  #characters = 0

  constructor(of: Of) {
    this.#of = of
  }

  async take(line: Buffer): Promise<void> {
    this.isBetweenBatches = false
    const { name, mask, reader } = this.#of
    const value = parseJson(line, name)
    if (!this.#hasBegun) {
      this.#hasBegun = true
      const conversation = this.#heading(value)
      const masked = maskedFreeText(conversationLine.shape.conversation, conversation, mask)
      await reader?.give({ kind: 'conversation', conversation: masked })
      return
    }
    const stored = this.#event(value)
    this.events++
    this.isBetweenBatches = this.events % BATCH === 0
    if (!reader) return
    this.#batch.push(stored)
    this.#characters += stored.body.length
    if (this.#batch.length < BATCH && this.#characters < BATCH_CHARACTERS) return
    await this.#give(reader)
  }

  async end(): Promise<void> {
    const { reader, name } = this.#of
    if (!this.#hasBegun) throw damagedFile(`${name} is empty`)
    if (!reader) return
    await this.#give(reader)
    await reader.give({ kind: 'conversation-end' })
  }

  async #give(reader: DataReader): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#characters = 0
    if (batch.length > 0) await reader.give({ kind: 'events', events: batch })
  }

  #heading(value: unknown): ConversationLine['conversation'] {
    const { data, error } = conversationLine.safeParse(value)
    if (!data) throw damagedFile(`${this.#of.name} is wrong at ${error.issues[0]?.path.join('.')}`)
    if (data.conversation.id !== this.#of.id) throw damagedFile(`${this.#of.name} is another conversation`)
    return data.conversation
  }

  /** What does not fit is as a row is that cannot be read: a notice takes its place. */
  #event(value: unknown): StoredEvent {
    const { name, mask } = this.#of
    if (!isRecord(value) || typeof value.id !== 'string' || value.id === '' || value.id.length > 100) {
      throw damagedFile(`${name} has an event without an id`)
    }
    if (value.seq !== this.events) throw damagedFile(`${name} lacks an event`)
    const { data } = anyEvent.safeParse(value)
    if (!data) this.unreadable++
    const event = data ?? placeholderOf({ ...value, body: JSON.stringify(value) })
    const { seq, id, kind, timestamp } = event
    return { seq, id, kind, timestamp, body: JSON.stringify(maskedFreeText(anyEvent, event, mask)) }
  }
}
