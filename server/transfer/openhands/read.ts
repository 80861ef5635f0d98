import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { createMask } from '../../secret/mask/mask.ts'
import { NOTHING_DONE } from '../format.ts'
import type { DataReader, FoundContents, ImportThreadData } from '../import/messages.ts'
import { ConversationPieces } from '../import/pieces.ts'
import { ConversationsOfFolder } from './conversations.ts'
import { readDatabase } from './database.ts'
import { hasValues, readDocuments, secretTextsOf } from './documents.ts'
import { ForeignFolder } from './folder.ts'
import { findConversations } from './layout.ts'
import { Problems } from './problems.ts'
import { type Fields, fieldsOf } from './values.ts'

interface Asked {
  path: string
  sqlite: string
  work: ImportThreadData['work']
  secrets: string[]
}

/**
 * Reads a folder of OpenHands as a file of another Atelier is read: the same documents, and the same pieces of conversations.
 * It is never written to.
 * @throws AppError bad_request, in words for whoever chose the folder
 */
export async function readOpenHands(
  { path, sqlite, work, secrets }: Asked,
  reader: DataReader,
): Promise<FoundContents> {
  const folder = ForeignFolder.open(path)
  const problems = new Problems()
  const settings = objectIn(folder, 'settings.json', problems)
  const stored = objectIn(folder, 'secrets.json', problems)
  const { values, problems: unfit, ...documents } = readDocuments(settings, stored)
  for (const problem of unfit) problems.add(problem)
  const hasSettings = Object.keys(documents.settings).length > 0
  const parts = {
    ...(hasSettings && { settings: JSON.stringify(documents.settings) }),
    models: JSON.stringify(documents.models),
    secrets: JSON.stringify(documents.secrets),
  }
  const open = { hasValues: hasValues(values), providers: Object.keys(values.provider_tokens) }
  const nothing = {
    written: null,
    parts,
    open,
    conversations: [],
    events: 0,
    unreadable: 0,
    workingFolders: new Map(),
    problems: [],
  }
  if (work.kind === 'values') return { ...nothing, values }
  const { conversations, isCut } = await findConversations(folder)
  if (isCut)
    problems.add(`Only the first ${BOUNDS.dataFileConversations.limit.toLocaleString('en-US')} conversations are read.`)
  const database = readDatabase(folder, sqlite)
  if (database.problem) problems.add(`Titles and repositories of some conversations are missing: ${database.problem}.`)
  if (conversations.length === 0 && !hasSettings && !open.hasValues && documents.models.length === 0) {
    throw new AppError(
      'bad_request',
      'This folder holds nothing of OpenHands. Choose the one with its settings.json, sessions or conversations.',
    )
  }
  const skipped = new Set(work.kind === 'add' ? work.skipped : [])
  const wanted = conversations.filter(({ id }) => !skipped.has(id))
  const { mask } = createMask([...secrets, ...secretTextsOf(values)])
  const reading = new ConversationsOfFolder(folder, {
    problems,
    rows: database.rows,
    known: new Set(conversations.map(({ id }) => id)),
  })
  const progress = { ...NOTHING_DONE, conversations_total: wanted.length }
  const found: string[] = []
  let unreadable = 0
  for (const conversation of wanted) {
    const pieces = new ConversationPieces(mask, work.kind === 'add' ? reader : undefined)
    const report = () => reader.progress({ ...progress, events: progress.events + pieces.events })
    const isThere = await reading.read(conversation, pieces, report)
    if (isThere) found.push(conversation.id)
    progress.events += pieces.events
    progress.conversations++
    unreadable += pieces.unreadable
    reader.progress(progress)
  }
  return {
    ...nothing,
    conversations: found,
    events: progress.events,
    unreadable: unreadable + reading.unreadable,
    problems: problems.list(),
  }
}

function objectIn(folder: ForeignFolder, file: string, problems: Problems): Fields {
  const read = folder.json(file, BOUNDS.dataFilePart.limit)
  if (read && 'reason' in read) problems.add(`${file} is left out: ${read.reason}.`)
  return read && 'value' in read ? fieldsOf(read.value) : {}
}
