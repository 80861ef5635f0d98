import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type Entry, type Options, open as openZip, type ZipFile } from 'yauzl'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import {
  conversationFile,
  damagedFile,
  idInFolderPart,
  idInName,
  MANIFEST,
  type Manifest,
  notDataFile,
  PARTS,
  parseJson,
  readManifest,
} from '../format.ts'

const open = promisify<string, Options, ZipFile>(openZip)

const OTHER_NAMES: ReadonlySet<string> = new Set([MANIFEST, ...Object.values(PARTS)])

/** A file that somebody has sent, as far as its list of contents. Everything in it is a stranger's. */
export class ImportedArchive {
  readonly manifest: Manifest
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #sums: ReadonlyMap<string, string>

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, manifest: Manifest) {
    this.#zip = zip
    this.#entries = entries
    this.manifest = manifest
    this.#sums = new Map(manifest.parts.map(({ name, sha256 }) => [name, sha256]))
  }

  /** @throws AppError bad_request in words for whoever chose the file, too_large */
  static async open(path: string): Promise<ImportedArchive> {
    const zip = await open(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(() => {
      throw notDataFile()
    })
    try {
      const entries = await listEntries(zip, (await stat(path)).size)
      const listed = entries.get(MANIFEST)
      if (!listed) throw notDataFile()
      const manifest = readManifest(parseJson(await textOf(zip, listed), MANIFEST))
      checkParts(entries, manifest)
      return new ImportedArchive(zip, entries, manifest)
    } catch (error) {
      zip.close()
      throw error
    }
  }

  /** The text of a small part; undefined where the file has none. @throws AppError bad_request */
  async text(name: string): Promise<string | undefined> {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    const text = await textOf(this.#zip, entry)
    if (sumOf(text) !== this.#sums.get(name)) throw notWhole(name)
    return text.toString('utf8')
  }

  /** Names of conversations, in the order of the file. */
  conversations(): string[] {
    return this.manifest.parts.map(({ name }) => name).filter(name => idInName(name) !== undefined)
  }

  /** The working folders that are in it: bytes by the id of the conversation. */
  folders(): Map<string, number> {
    const found = new Map<string, number>()
    for (const { name, bytes } of this.manifest.parts) {
      const id = idInFolderPart(name)
      if (id !== undefined) found.set(id, bytes)
    }
    return found
  }

  /** A part, with its sum compared at its end. @throws AppError bad_request */
  async *content(name: string): AsyncGenerator<Buffer, void> {
    const entry = this.#entries.get(name)
    if (!entry) throw damagedFile(`${name} is missing`)
    const sum = createHash('sha256')
    for await (const piece of piecesOf(this.#zip, entry)) {
      sum.update(piece)
      yield piece
    }
    if (sum.digest('hex') !== this.#sums.get(name)) throw notWhole(name)
  }

  /** The lines of a conversation. As `content`. */
  async *lines(name: string): AsyncGenerator<Buffer, void> {
    let rest: Buffer[] = []
    let restBytes = 0
    for await (const chunk of this.content(name)) {
      let from = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
        const last = chunk.subarray(from, end)
        yield restBytes === 0 ? last : Buffer.concat([...rest, last])
        rest = []
        restBytes = 0
        from = end + 1
      }
      if (from === chunk.length) continue
      rest.push(chunk.subarray(from))
      restBytes += chunk.length - from
      if (restBytes > BOUNDS.dataFileEvent.limit) throw damagedFile(`${name} has an event that is too long`)
    }
    if (restBytes > 0) throw damagedFile(`${name} breaks off`)
  }

  close(): void {
    this.#zip.close()
  }
}

const LINE_FEED = 0x0a

/** What they say of themselves; that is checked again while they are unpacked. */
async function listEntries(zip: ZipFile, fileBytes: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let packed = 0
  let unpacked = 0
  const mostParts = 2 * BOUNDS.dataFileConversations.limit + OTHER_NAMES.size
  if (zip.entryCount > mostParts) throw tooLarge(`it has ${zip.entryCount.toLocaleString('en-US')} parts`)
  for await (const entry of entriesOf(zip)) {
    const { fileName } = entry
    const most = sizeLimit(fileName)
    if (most === undefined) throw damagedFile('it holds something that no export has')
    if (entries.has(fileName)) throw damagedFile(`${fileName} is in it twice`)
    if (entry.uncompressedSize > most) throw tooLarge(`${fileName} is too large`)
    packed += entry.compressedSize
    unpacked += entry.uncompressedSize
    // Parts that share their bytes would be unpacked again and again.
    if (packed > fileBytes) throw damagedFile('its parts are larger than itself')
    if (unpacked > BOUNDS.dataFileContent.limit) throw tooLarge('it unpacks to more than a file may hold')
    entries.set(fileName, entry)
  }
  return entries
}

/** Of a part, unpacked; undefined for one that no export has. */
function sizeLimit(name: string): number | undefined {
  // Its events are bounded one by one.
  if (idInName(name) !== undefined) return BOUNDS.dataFileContent.limit
  if (idInFolderPart(name) !== undefined) return BOUNDS.dataFileFolder.limit
  return OTHER_NAMES.has(name) ? BOUNDS.dataFilePart.limit : undefined
}

function checkParts(entries: ReadonlyMap<string, Entry>, { parts }: Manifest): void {
  const names = new Set(parts.map(({ name }) => name))
  if (names.size !== parts.length) throw damagedFile('its list of contents names a part twice')
  for (const { name, bytes } of parts) {
    const entry = entries.get(name)
    if (!entry) throw damagedFile(`${name} is missing`)
    if (entry.uncompressedSize !== bytes) throw notWhole(name)
  }
  const lonely = parts.map(({ name }) => idInFolderPart(name)).find(id => id && !names.has(conversationFile(id)))
  if (lonely) throw damagedFile('it holds a working folder of a conversation that is not in it')
  const unlisted = [...entries.keys()].find(name => name !== MANIFEST && !names.has(name))
  if (unlisted) throw damagedFile(`its list of contents does not name ${unlisted}`)
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      zip.once('entry', resolve)
      zip.once('end', () => resolve(null))
      zip.once('error', error => reject(damagedFile(plain(error))))
      zip.readEntry()
    })
    zip.removeAllListeners()
    if (entry === null) return
    yield entry
  }
}

/** Unpacked as it is read; more or less than the entry says is an error. */
async function* piecesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, void> {
  let content: Readable | undefined
  try {
    content = await promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entry)
    yield* content as AsyncIterable<Buffer>
  } catch (error) {
    throw error instanceof AppError ? error : damagedFile(`${entry.fileName} cannot be unpacked`)
  } finally {
    content?.destroy()
  }
}

async function textOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of piecesOf(zip, entry)) pieces.push(piece)
  return Buffer.concat(pieces)
}

function sumOf(text: Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}

function notWhole(name: string): AppError {
  return damagedFile(`${name} is not what was exported`)
}

function tooLarge(reason: string): AppError {
  return new AppError('too_large', `The file holds more than Atelier takes: ${reason}. Export fewer conversations.`)
}

function plain(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
