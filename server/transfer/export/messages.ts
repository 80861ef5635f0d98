import type { DataProgress } from '../../api/v1/transfer/exports.ts'
import type { DiskProblem } from '../../disk/failure.ts'
import type { Manifest } from '../format.ts'

/** What the thread that writes a file is started with. */
export interface ExportThreadData {
  /** Of SQLite's library. */
  sqlite: string
  database: string
  /** The file, which must not be there yet. */
  target: string
  /** What is hidden in every text. */
  secrets: string[]
  /** What is no conversation, ready to be written. */
  parts: { name: string; text: string }[]
  /** Tars of working folders, by their conversations. */
  folders: { id: string; path: string }[]
  manifest: Omit<Manifest, 'parts'>
  /** Its one number is no longer 0 once nobody wants the file. A thread that SQLite works in cannot be ended from outside. */
  givenUp: Int32Array<SharedArrayBuffer>
}

export type FromExportThread =
  | { kind: 'progress'; progress: DataProgress }
  | { kind: 'done'; progress: DataProgress; damaged: number }
  | { kind: 'failed'; message: string; disk: DiskProblem | undefined }
