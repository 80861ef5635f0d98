import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import ZipStream from 'zip-stream'
import { event as anyEvent } from '../../api/event/events.ts'
import type { DataProgress } from '../../api/v1/transfer/exports.ts'
import { maskedFreeText } from '../../secret/mask/free-text.ts'
import { createMask } from '../../secret/mask/mask.ts'
import { Snapshot } from '../../store/snapshot.ts'
import { conversationFile, exportedConversation, folderPart, MANIFEST, type Manifest } from '../format.ts'
import type { ExportThreadData } from './messages.ts'

type MaskText = (text: string) => string

interface Written {
  progress: DataProgress
  /** Conversations that could not be read. */
  damaged: number
}

/**
 * Writes the whole file and flushes it to the disk. Every text goes through the mask once more: what became a secret after
 * it was stored is hidden too.
 * @throws what the disk or SQLite throws; then the file is not whole
 */
export async function writeDataFile(
  { sqlite, database, target, secrets, parts, folders, manifest, givenUp }: ExportThreadData,
  onProgress: (progress: DataProgress) => void,
): Promise<Written> {
  const { mask } = createMask(secrets)
  const snapshot = new Snapshot({ sqlite, database })
  const archive = new Archive(target)
  try {
    const all = snapshot.conversations()
    const progress = {
      conversations: 0,
      conversations_total: all.length,
      events: 0,
      events_total: all.reduce((sum, { events }) => sum + events, 0),
      folders: 0,
      folders_total: folders.length,
    }
    const folderOf = new Map(folders.map(({ id, path }) => [id, path]))
    const requireWanted = () => {
      if (Atomics.load(givenUp, 0) !== 0) throw new Error('The export was given up.')
    }
    let damaged = 0
    for (const { id, events } of all) {
      const heading = headingOf(snapshot, id, mask)
      if (heading === undefined) {
        damaged++
        progress.conversations_total--
        progress.events_total -= events
        continue
      }
      await archive.add(
        conversationFile(id),
        piecesOf({ snapshot, id, heading, mask }, count => {
          requireWanted()
          progress.events += count
          onProgress(progress)
        }),
      )
      const folder = folderOf.get(id)
      if (folder !== undefined) {
        await archive.add(folderPart(id), wantedBytes(folder, requireWanted))
        await rm(folder, { force: true })
        progress.folders++
      }
      progress.conversations++
      onProgress(progress)
    }
    for (const { name, text } of parts) await archive.add(name, [text])
    const { conversations, events } = progress
    const whole: Manifest = {
      ...manifest,
      counts: { ...manifest.counts, conversations, events },
      left_out: { ...manifest.left_out, damaged_conversations: damaged },
      parts: archive.parts,
    }
    await archive.add(MANIFEST, [JSON.stringify(whole)])
    await archive.close()
    return { progress, damaged }
  } finally {
    snapshot.close()
    archive.leave()
  }
}

/** What a conversation is, as a line; undefined where that, or its log, cannot be read: a file that is begun takes nothing back. */
function headingOf(snapshot: Snapshot, id: string, mask: MaskText): string | undefined {
  try {
    snapshot.requireReadable(id)
    const conversation = exportedConversation.parse(JSON.parse(snapshot.conversation(id)))
    return JSON.stringify({ conversation: maskedFreeText(exportedConversation, conversation, mask) })
  } catch {
    return undefined
  }
}

/** What is packed in one go ends at the first event beyond one of them; between two pieces it is seen whether the file is still wanted. */
const PIECE_CHARACTERS = 1024 * 1024
const PIECE_EVENTS = 200

function* piecesOf(
  of: { snapshot: Snapshot; id: string; heading: string; mask: MaskText },
  onEvents: (count: number) => void,
): Generator<string, void> {
  let piece = `${of.heading}\n`
  let events = 0
  for (const body of of.snapshot.events(of.id)) {
    piece += `${maskedEvent(body, of.mask)}\n`
    events++
    if (piece.length < PIECE_CHARACTERS && events < PIECE_EVENTS) continue
    yield piece
    onEvents(events)
    piece = ''
    events = 0
  }
  yield piece
  onEvents(events)
}

/** Between two pieces it is seen whether the file is still wanted. */
async function* wantedBytes(path: string, requireWanted: () => void): AsyncGenerator<Buffer, void> {
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    requireWanted()
    yield piece
  }
}

/** On one line, whatever wrote the database: a line feed between the values of a JSON text says nothing. */
function maskedEvent(body: string, mask: MaskText): string {
  const value: unknown = JSON.parse(body)
  const masked = maskedFreeText(anyEvent, value, mask)
  return masked === value && !body.includes('\n') ? body : JSON.stringify(masked)
}

/** A ZIP archive on its way to the disk, and the sums of what is in it. */
class Archive {
  readonly parts: Manifest['parts'] = []
  readonly #zip = new ZipStream()
  readonly #written: Promise<void>

  constructor(target: string) {
    this.#written = pipeline(this.#zip, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }))
    // Whoever adds or closes gets it.
    this.#written.catch(() => {})
  }

  async add(name: string, content: Iterable<string> | AsyncIterable<Buffer>): Promise<void> {
    const sum = createHash('sha256')
    let bytes = 0
    async function* measured(): AsyncGenerator<Buffer, void> {
      for await (const each of content) {
        const piece = Buffer.from(each)
        sum.update(piece)
        bytes += piece.length
        yield piece
      }
    }
    const packed = new Promise<void>((resolve, reject) => {
      const source = Readable.from(measured(), { objectMode: false })
      source.once('error', reject)
      this.#zip.entry(source, { name, date: new Date() }, error => (error ? reject(error) : resolve()))
    })
    // A disk that refuses ends the archive, which then never says that the entry is packed.
    await Promise.race([packed, this.#written])
    this.parts.push({ name, bytes, sha256: sum.digest('hex') })
  }

  /** Closes the file, whole or not. */
  leave(): void {
    this.#zip.destroy()
  }

  async close(): Promise<void> {
    this.#zip.finish()
    await this.#written
  }
}
