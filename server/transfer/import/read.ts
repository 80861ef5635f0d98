import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { isRecord } from '../../domain/is-record.ts'
import { createMask } from '../../secret/mask/mask.ts'
import { DOCUMENTS } from '../documents.ts'
import {
  type ConversationLine,
  conversationFile,
  conversationLine,
  damagedFile,
  folderPart,
  idInName,
  PARTS,
  type PartName,
  parseJson,
} from '../format.ts'
import { ImportedArchive } from './archive.ts'
import type { DataReader, FoundContents, ImportThreadData } from './messages.ts'
import { ConversationPieces, type GivenEvent } from './pieces.ts'

type Adding = Extract<ImportThreadData['work'], { kind: 'add' }>

/**
 * Reads a file from end to end, and compares each part with its sum. With `adding` it gives conversations out on the way.
 * @throws AppError bad_request, too_large, in words for whoever chose the file; what the disk throws
 */
export async function readDataFile(
  { path, adding, secrets }: { path: string; adding: Adding | null; secrets: string[] },
  reader: DataReader,
): Promise<FoundContents> {
  const { mask } = createMask(secrets)
  const archive = await ImportedArchive.open(path)
  try {
    const names = archive.conversations()
    const { counts } = archive.manifest
    if (counts.conversations !== names.length) throw damagedFile('its list of contents counts other conversations')
    const parts = adding === null ? await readParts(archive) : {}
    const folders = archive.folders()
    const wanted = new Set(names)
    for (const id of adding?.skipped ?? []) wanted.delete(conversationFile(id))
    const foldersAlone = (adding?.foldersOf ?? []).filter(id => folders.has(id))
    const progress = {
      conversations: 0,
      conversations_total: wanted.size,
      events: 0,
      events_total: adding === null ? counts.events : 0,
      folders: 0,
      folders_total: foldersAlone.length + [...folders.keys()].filter(id => wanted.has(conversationFile(id))).length,
    }
    let unreadable = 0
    const conversations: string[] = []
    for (const name of names) {
      const id = idInName(name)
      if (id === undefined || !wanted.has(name)) continue
      conversations.push(id)
      const one = new ConversationReader({ id, name, mask, reader: adding === null ? undefined : reader })
      for await (const line of archive.lines(name)) {
        await one.take(line)
        if (!one.isBetweenBatches) continue
        reader.progress({ ...progress, events: progress.events + one.events })
      }
      await one.endEvents()
      if (folders.has(id)) {
        await readFolder(archive, id, { adding, reader })
        progress.folders++
      }
      await one.end()
      progress.events += one.events
      unreadable += one.unreadable
      progress.conversations++
      reader.progress(progress)
    }
    for (const id of foldersAlone) {
      await readFolder(archive, id, { adding, reader })
      progress.folders++
      reader.progress(progress)
    }
    const { app_version, exported_at, left_out } = archive.manifest
    return {
      written: { app_version, exported_at, left_out },
      problems: [],
      open: null,
      parts,
      conversations,
      events: progress.events,
      unreadable,
      workingFolders: folders,
    }
  } finally {
    archive.close()
  }
}

/** One that is only checked goes nowhere. */
async function readFolder(
  archive: ImportedArchive,
  id: string,
  { adding, reader }: { adding: Adding | null; reader: DataReader },
): Promise<void> {
  const content = archive.content(folderPart(id))
  if (adding === null) {
    for await (const _piece of content);
    return
  }
  await pipeline(content, createWriteStream(adding.folderAt, { mode: 0o600 }))
  await reader.give({ kind: 'folder', conversation: id })
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
  readonly #id: string
  readonly #name: string
  readonly #pieces: ConversationPieces
  #hasBegun = false

  constructor({ id, name, mask, reader }: Of) {
    this.#id = id
    this.#name = name
    this.#pieces = new ConversationPieces(mask, reader)
  }

  get events(): number {
    return this.#pieces.events
  }

  get unreadable(): number {
    return this.#pieces.unreadable
  }

  get isBetweenBatches(): boolean {
    return this.#pieces.isBetweenBatches
  }

  async take(line: Buffer): Promise<void> {
    const value = parseJson(line, this.#name)
    if (this.#hasBegun) return this.#pieces.add(this.#event(value))
    this.#hasBegun = true
    await this.#pieces.begin(this.#heading(value))
  }

  async endEvents(): Promise<void> {
    if (!this.#hasBegun) throw damagedFile(`${this.#name} is empty`)
    await this.#pieces.endEvents()
  }

  async end(): Promise<void> {
    await this.#pieces.end()
  }

  #heading(value: unknown): ConversationLine['conversation'] {
    const { data, error } = conversationLine.safeParse(value)
    if (!data) throw damagedFile(`${this.#name} is wrong at ${error.issues[0]?.path.join('.')}`)
    if (data.conversation.id !== this.#id) throw damagedFile(`${this.#name} is another conversation`)
    return data.conversation
  }

  #event(value: unknown): GivenEvent {
    if (!isRecord(value) || typeof value.id !== 'string' || value.id === '' || value.id.length > 100) {
      throw damagedFile(`${this.#name} has an event without an id`)
    }
    if (value.seq !== this.events) throw damagedFile(`${this.#name} lacks an event`)
    return { ...value, id: value.id, seq: this.events }
  }
}
