import type { DataProgress } from '../../api/v1/transfer/exports.ts'
import type { DiskProblem } from '../../disk/failure.ts'
import type { StoredEvent } from '../../store/events.ts'
import type { SecretValues } from '../documents.ts'
import type { ConversationLine, Manifest, PartName } from '../format.ts'

/** What is read: a file of another Atelier, or a folder of OpenHands. */
export type ImportSource =
  | { kind: 'file'; path: string }
  /** @property sqlite where the library lies; see `sqlitePath` */
  | { kind: 'openhands'; path: string; sqlite: string }

/** What the thread that reads it is started with. */
export interface ImportThreadData {
  source: ImportSource
  /**
   * `check` reads everything and gives nothing out, `values` only the values of secrets of a folder, `add` all
   * conversations but those that are named, of which `foldersOf` get their working folder alone; `folderAt` is where each
   * lies while it is taken.
   */
  work:
    | { kind: 'check' }
    | { kind: 'values' }
    | { kind: 'add'; skipped: string[]; foldersOf: string[]; folderAt: string }
  /** What is hidden in every text of a conversation. */
  secrets: string[]
}

/** Who takes what is read. */
export interface DataReader {
  progress(progress: DataProgress): void
  /** Awaited, so that no more is read than is stored. */
  give(piece: ConversationPiece): Promise<void>
}

/** What was found when all was read from end to end. */
export interface FoundContents {
  /** What a file says of its making; null for a folder of OpenHands. */
  written: Pick<Manifest, 'app_version' | 'exported_at' | 'left_out'> | null
  /** The texts of what is no conversation. */
  parts: Partial<Record<PartName, string>>
  conversations: string[]
  events: number
  unreadable: number
  /** Bytes of each working folder, by the id of its conversation. */
  workingFolders: ReadonlyMap<string, number>
  /** What will not come over, and why, in words. */
  problems: string[]
  /** Of a folder, where the values of secrets lie open; null for a file, which seals them. */
  open: { hasValues: boolean; providers: string[] } | null
  /** Only where they were asked for. */
  values?: SecretValues
}

/** What a conversation is made of, in its order. Each is answered with `next` when it is stored. */
export type ConversationPiece =
  | { kind: 'conversation'; conversation: ConversationLine['conversation'] }
  | { kind: 'events'; events: StoredEvent[] }
  /** Its working folder lies as a tar where it was asked for, until the answer. */
  | { kind: 'folder'; conversation: string }
  | { kind: 'conversation-end' }

export type FromImportThread =
  | { kind: 'progress'; progress: DataProgress }
  | ConversationPiece
  | { kind: 'done'; found: FoundContents }
  /** In words for whoever chose the file; `isFault`: something else is wrong. */
  | { kind: 'failed'; message: string; isFault: boolean; disk?: DiskProblem | undefined }

export type ToImportThread = 'next'
