import type { BackupKind, StorageNotice } from '../../server/api/v1/system/storage.ts'
import type { ReclaimableKind } from '../api/storage.ts'
import { count } from './format.ts'

export const STORAGE_NOTICES: Record<StorageNotice['kind'], string> = {
  restored: 'A backup was restored.',
  salvaged: 'The database was repaired.',
  adopted: 'A new database was begun.',
  new: 'A new database was begun.',
  rewritten: 'The database file was removed.',
}

const RECENT_MS = 14 * 24 * 60 * 60_000

/** A browser that comes later than that need not be told any more. */
export function isRecent({ at }: Pick<StorageNotice, 'at'>, now: number): boolean {
  return now - Date.parse(at) < RECENT_MS
}

export const BACKUP_REASONS: Record<BackupKind, string> = {
  daily: 'Daily',
  manual: 'On request',
  migration: 'Before an update',
  restore: 'Before a restore',
}

export interface ReclaimableWords {
  title: string
  /** What it is, for so many of them. */
  detail: (items: number) => string
  /** The verb of the button. */
  verb: string
  question: string
  /** What is lost by it, and what is not. */
  consequence: string
  done: string
}

/** What can be deleted to free space, in the order in which it is shown: what nobody misses comes first. */
export const RECLAIMABLE: Record<ReclaimableKind, ReclaimableWords> = {
  logs: {
    title: 'Older logs',
    detail: items => count(items, 'file'),
    verb: 'Delete',
    question: 'Delete the older logs?',
    consequence: 'They are needed only to look into a problem of the past. The current log stays.',
    done: 'The older logs are deleted.',
  },
  deleted_conversations: {
    title: 'Space of deleted conversations',
    detail: () => 'Inside the database',
    verb: 'Free',
    question: 'Shrink the database?',
    consequence: 'Nothing is lost: the space that deleted conversations left goes back to the disk.',
    done: 'The database is smaller now.',
  },
  replaced_databases: {
    title: 'Replaced databases',
    detail: items => `${count(items, 'database')} kept aside by a repair or a new start`,
    verb: 'Delete',
    question: 'Delete the replaced databases?',
    consequence: 'What could not be taken over from them is lost for good. The current database and its backups stay.',
    done: 'The replaced databases are deleted.',
  },
  backups: {
    title: 'Old backups',
    detail: items => `${count(items, 'backup')} beside the newest`,
    verb: 'Delete',
    question: 'Delete all backups but the newest?',
    consequence: 'You can then restore only the newest backup. Conversations and settings stay as they are.',
    done: 'The old backups are deleted.',
  },
  unused_images: {
    title: 'Unused images',
    detail: items => `${count(items, 'image')} that no sandbox needs`,
    verb: 'Delete',
    question: 'Delete the unused images?',
    consequence: 'An image is pulled again when a sandbox needs it, which takes a network. Sandboxes stay.',
    done: 'The unused images are deleted.',
  },
  unused_sandboxes: {
    title: 'Unused sandboxes',
    detail: items => `${count(items, 'sandbox', 'sandboxes')} without a conversation, not running`,
    verb: 'Delete',
    question: 'Delete the unused sandboxes?',
    consequence: 'Their files are deleted with them. What was not pushed or copied out is lost.',
    done: 'The unused sandboxes are deleted.',
  },
}
