import type { DataProgress } from '../../api/v1/transfer/exports.ts'
import type { StoredEvent } from '../../store/events.ts'
import type { ConversationLine, Manifest, PartName } from '../format.ts'

/** What the thread that reads a file is started with. */
export interface ImportThreadData {
  path: string
  /** null only checks the file; otherwise conversations are given out, but for these. */
  skipped: string[] | null
  /** What is hidden in every text of a conversation. */
  secrets: string[]
}

/** What was found when the file was read from end to end. */
export interface FoundContents {
  manifest: Manifest
  /** The texts of what is no conversation. */
  parts: Partial<Record<PartName, string>>
  conversations: string[]
  events: number
  unreadable: number
}

/** What a conversation is made of, in its order. Each is answered with `next` when it is stored. */
export type ConversationPiece =
  | { kind: 'conversation'; conversation: ConversationLine['conversation'] }
  | { kind: 'events'; events: StoredEvent[] }
  | { kind: 'conversation-end' }

export type FromImportThread =
  | { kind: 'progress'; progress: DataProgress }
  | ConversationPiece
  | { kind: 'done'; found: FoundContents }
  /** In words for whoever chose the file; `isFault`: something else is wrong. */
  | { kind: 'failed'; message: string; isFault: boolean }

export type ToImportThread = 'next'
