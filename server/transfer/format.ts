import { z } from 'zod'
import { dateTime } from '../api/contract/page.ts'
import { type DataLeftOut, type DataProgress, dataLeftOut } from '../api/v1/transfer/exports.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import { conversationRow } from '../store/conversation/conversations.ts'
import { describeJsonProblem, problemOfJson } from '../text/json-bounds.ts'

/** Of a file with everything of an Atelier: a ZIP archive. */
export const FORMAT = 'atelier-data'
export const VERSION = 2
/** That of a file without working folders: an older Atelier reads it too. */
export const VERSION_WITHOUT_FOLDERS = 1

/** Says what is in it, and comes last, as it names the sums of all others. */
export const MANIFEST = 'manifest.json'

/** What is no conversation. */
export const PARTS = {
  settings: 'settings.json',
  models: 'models.json',
  specs: 'specs.json',
  secrets: 'secrets.json',
  /** Encrypted. */
  secretValues: 'secret-values.json',
} as const
export type PartName = keyof typeof PARTS

/** One conversation: a line with what it is, then a line for each event, in their order. */
export function conversationFile(id: string): string {
  return `conversations/${id}.jsonl`
}

/** @returns the id of the conversation, undefined for any other name */
export function idInName(name: string): string | undefined {
  return /^conversations\/([0-9a-f]{32})\.jsonl$/.exec(name)?.[1]
}

/** The working folder of a conversation, as a tar of the folder under its own name. */
export function folderPart(id: string): string {
  return `working-folders/${id}.tar`
}

/** @returns the id of its conversation, undefined for any other name */
export function idInFolderPart(name: string): string | undefined {
  return /^working-folders\/([0-9a-f]{32})\.tar$/.exec(name)?.[1]
}

export const NOTHING_DONE: DataProgress = {
  conversations: 0,
  conversations_total: 0,
  events: 0,
  events_total: 0,
  folders: 0,
  folders_total: 0,
}

export const NOTHING_LEFT_OUT: DataLeftOut = {
  specs: [],
  variables: [],
  sign_ins: [],
  damaged_conversations: 0,
  working_folders: [],
}

const count = z.int().min(0)

const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.union([z.literal(VERSION_WITHOUT_FOLDERS), z.literal(VERSION)]),
  app_version: z.string().max(100),
  exported_at: dateTime,
  counts: z.object({ conversations: count, events: count, models: count, specs: count, secrets: count }),
  left_out: dataLeftOut.extend({ working_folders: dataLeftOut.shape.working_folders.default([]) }),
  parts: z.array(z.object({ name: z.string().max(100), bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
})
export type Manifest = z.output<typeof manifest>

/** @throws AppError bad_request */
export function readManifest(value: unknown): Manifest {
  const kind = z.object({ format: z.literal(FORMAT), version: z.int().min(1) }).safeParse(value)
  if (!kind.success) throw notDataFile()
  if (kind.data.version > VERSION) {
    const message = 'A newer version of Atelier has written this file.'
    throw new AppError('bad_request', `${message} Update Atelier, then import the file again.`)
  }
  const { data, error } = manifest.safeParse(value)
  if (data) return data
  throw damagedFile(`its list of contents is wrong at ${error.issues[0]?.path.join('.')}`)
}

/**
 * What goes to other computers of a conversation. Its sandbox, its folders, what a person has allowed there for good and a
 * replay belong to the first one.
 */
export const exportedConversation = conversationRow.omit({
  sandbox_id: true,
  source_folder: true,
  folder_mode: true,
  mounted_folder: true,
  replay: true,
  always_allowed: true,
  listed_at: true,
})

/** The first line of a conversation. What an older version did not know is left to the reader. */
export const conversationLine = z.object({
  conversation: exportedConversation.partial().required({ id: true, created_at: true, updated_at: true }),
})
export type ConversationLine = z.output<typeof conversationLine>

/** A stranger's. @throws AppError bad_request for what is no JSON, too deep or too much */
export function parseJson(text: Buffer, name: string): unknown {
  const most = BOUNDS.dataFileValues.limit
  const problem = problemOfJson(text, most)
  if (problem) throw damagedFile(`${name} is ${describeJsonProblem(problem, most)}`)
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    throw damagedFile(`${name} is no JSON`)
  }
}

export function notDataFile(): AppError {
  const next = 'Choose one that Atelier has exported: its name ends in .atelier-data.zip.'
  return new AppError('bad_request', `This file is not an Atelier export. ${next}`)
}

export function damagedFile(reason: string): AppError {
  const next = 'Copy the file again, or export the data anew.'
  return new AppError('bad_request', `The file is damaged or incomplete: ${reason}. ${next}`)
}
