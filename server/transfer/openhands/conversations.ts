import { titleFromMessage } from '../../agent/default-title.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import type { ConversationPieces, GivenEvent } from '../import/pieces.ts'
import { describeConversation, type Sources } from './about.ts'
import { FirstGeneration } from './first/translate.ts'
import type { ForeignFolder, ReadJson } from './folder.ts'
import { eventFiles, type FoundConversation } from './layout.ts'
import { TranslatedLog } from './log.ts'
import type { Problems } from './problems.ts'
import { SecondGeneration } from './second/translate.ts'
import { type Fields, fieldsOf, listIn, textIn, timeOf } from './values.ts'

interface Around {
  problems: Problems
  /** Of the app's database, by the ids of conversations here. */
  rows: ReadonlyMap<string, Fields>
  /** Ids of all conversations of the folder. */
  known: ReadonlySet<string>
}

/** A message near the beginning gives the title that is missing. */
const LOOKED_AT = 30

/** Reads conversations of a folder, one file after the other. */
export class ConversationsOfFolder {
  /** Entries that cannot be read, in all conversations so far. */
  unreadable = 0
  readonly #folder: ForeignFolder
  readonly #around: Around

  constructor(folder: ForeignFolder, around: Around) {
    this.#folder = folder
    this.#around = around
  }

  /** @returns whether there is anything in it */
  async read(found: FoundConversation, pieces: ConversationPieces, onBatch: () => void): Promise<boolean> {
    const { problems, rows, known } = this.#around
    const { files, isCut } = await this.#inOrder(found)
    if (files.length === 0) {
      problems.count('a conversation without anything in it is left out.')
      return false
    }
    if (isCut) problems.add(`Conversation ${found.name} has more events than are read. The first are taken.`)
    const sources: Sources = {
      row: rows.get(found.id) ?? {},
      metadata: this.#object(found, found.layout === 'first' ? 'metadata.json' : 'meta.json'),
      state: found.layout === 'second-numbered' ? this.#object(found, 'base_state.json') : {},
      events: this.#aboutEvents(files),
    }
    const conversation = describeConversation(found, sources, known)
    await pieces.begin(conversation)
    const log = new TranslatedLog(found.id, conversation.created_at)
    const translated = found.layout === 'first' ? new FirstGeneration(log) : new SecondGeneration(log)
    for (const file of files) {
      const read = this.#folder.json(file, BOUNDS.dataFileEvent.limit)
      if (read && 'value' in read) translated.add(read.value)
      else this.#note(log, read)
      await addAll(pieces, log.take(), onBatch)
    }
    await addAll(pieces, log.end(), onBatch)
    await pieces.end()
    return true
  }

  #note(log: TranslatedLog, read: ReadJson | undefined): void {
    this.unreadable++
    const reason = read && 'reason' in read ? read.reason : 'it is not there any more'
    log.addNotice(`An entry of OpenHands cannot be read: ${reason}.`)
  }

  #object({ folder }: FoundConversation, name: string): Fields {
    const read = this.#folder.json(`${folder}/${name}`, BOUNDS.dataFileEvent.limit)
    return read && 'value' in read ? fieldsOf(read.value) : {}
  }

  /** Where names do not give the order, the times within do: each file is read twice. */
  async #inOrder(found: FoundConversation): Promise<{ files: string[]; isCut: boolean }> {
    const { files, isCut } = await eventFiles(this.#folder, found)
    if (found.layout !== 'second-timed') return { files, isCut }
    const timed: { file: string; time: string }[] = []
    for (const file of files) timed.push({ file, time: timeIn(this.#folder.json(file, BOUNDS.dataFileEvent.limit)) })
    timed.sort((a, b) => (a.time === b.time ? (a.file < b.file ? -1 : 1) : a.time < b.time ? -1 : 1))
    return { files: timed.map(({ file }) => file), isCut }
  }

  #aboutEvents(files: readonly string[]): Sources['events'] {
    let first: string | undefined
    let title: string | null = null
    for (const file of files.slice(0, LOOKED_AT)) {
      const read = this.#folder.json(file, BOUNDS.dataFileEvent.limit)
      if (!read || !('value' in read)) continue
      const event = fieldsOf(read.value)
      first ??= timeOf(event.timestamp)
      title ??= titleFromMessage(userText(event))
      if (title !== null) break
    }
    const last = this.#folder.json(files.at(-1) ?? '', BOUNDS.dataFileEvent.limit)
    return { first, last: last && 'value' in last ? timeOf(fieldsOf(last.value).timestamp) : undefined, title }
  }
}

async function addAll(pieces: ConversationPieces, events: readonly GivenEvent[], onBatch: () => void): Promise<void> {
  for (const event of events) {
    await pieces.add(event)
    if (pieces.isBetweenBatches) onBatch()
  }
}

function timeIn(read: ReadJson | undefined): string {
  // As it is written: two events of one millisecond are told apart by what stands behind it.
  return read && 'value' in read ? textIn(fieldsOf(read.value), 'timestamp') : ''
}

function userText(event: Fields): string {
  if (event.source !== 'user') return ''
  if (event.action === 'message') return textIn(fieldsOf(event.args), 'content')
  if (event.kind !== 'MessageEvent') return ''
  const [first] = listIn(fieldsOf(event.llm_message), 'content')
  return textIn(fieldsOf(first), 'text')
}
