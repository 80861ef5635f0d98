import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import ZipStream from 'zip-stream'
import type { DataProgress } from '../../api/v1/transfer/exports.ts'
import { createMask } from '../../secret/mask/mask.ts'
import { Snapshot } from '../../store/snapshot.ts'
import { conversationFile, exportedConversation, MANIFEST, type Manifest } from '../format.ts'
import type { ExportThreadData } from './messages.ts'

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
  { sqlite, database, target, secrets, parts, manifest, givenUp }: ExportThreadData,
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
    }
    let damaged = 0
    for (const { id } of all) {
      const heading = headingOf(snapshot, id)
      if (heading === undefined) {
        damaged++
        progress.conversations_total--
        continue
      }
      await archive.add(
        conversationFile(id),
        pagesOf({ snapshot, id, heading, mask }, count => {
          if (Atomics.load(givenUp, 0) !== 0) throw new Error('The export was given up.')
          progress.events += count
          onProgress(progress)
        }),
      )
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

/** What a conversation is, as a line; undefined for one that is damaged. */
function headingOf(snapshot: Snapshot, id: string): string | undefined {
  try {
    return JSON.stringify({ conversation: exportedConversation.parse(JSON.parse(snapshot.conversation(id))) })
  } catch {
    return undefined
  }
}

function* pagesOf(
  of: { snapshot: Snapshot; id: string; heading: string; mask: (text: string) => string },
  onEvents: (count: number) => void,
): Generator<string, void> {
  yield `${of.mask(of.heading)}\n`
  for (const page of of.snapshot.events(of.id)) {
    if (page.length === 0) return
    yield page.map(body => `${of.mask(onOneLine(body))}\n`).join('')
    onEvents(page.length)
  }
}

/** Whatever wrote the database: a line feed between the values of a JSON text says nothing. */
function onOneLine(body: string): string {
  return body.includes('\n') ? JSON.stringify(JSON.parse(body)) : body
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

  async add(name: string, texts: Iterable<string>): Promise<void> {
    const sum = createHash('sha256')
    let bytes = 0
    function* measured(): Generator<Buffer, void> {
      for (const text of texts) {
        const piece = Buffer.from(text)
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
