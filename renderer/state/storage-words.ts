import type { BackupKind, StorageNotice } from '../../server/api/v1/system/storage.ts'
import type { ReclaimableKind } from '../api/storage.ts'
import { t } from './text.ts'

export const STORAGE_NOTICES: Record<StorageNotice['kind'], string> = {
  restored: t('backupWasRestored'),
  salvaged: t('databaseWasRepaired'),
  adopted: t('newDatabaseWasBegun'),
  new: t('newDatabaseWasBegun'),
  rewritten: t('databaseFileWasRemoved'),
}

const RECENT_MS = 14 * 24 * 60 * 60_000

/** A browser that comes later than that is not notified any more. */
export function isRecent({ at }: Pick<StorageNotice, 'at'>, now: number): boolean {
  return now - Date.parse(at) < RECENT_MS
}

export const BACKUP_REASONS: Record<BackupKind, string> = {
  daily: t('daily'),
  manual: t('onRequest'),
  migration: t('beforeUpdate'),
  restore: t('beforeRestore'),
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
    title: t('olderLogs'),
    detail: items => t('files', { count: items }),
    verb: t('delete'),
    question: t('deleteOlderLogs'),
    consequence: t('theyAreNeeded'),
    done: t('olderLogsAreDeleted'),
  },
  deleted_conversations: {
    title: t('spaceOfDeletedConversations'),
    detail: () => t('insideDatabase'),
    verb: t('free'),
    question: t('shrinkDatabase'),
    consequence: t('nothingIsLost'),
    done: t('databaseIsSmallerNow'),
  },
  replaced_databases: {
    title: t('replacedDatabases'),
    detail: items => t('keptDatabases', { count: items }),
    verb: t('delete'),
    question: t('deleteReplacedDatabases'),
    consequence: t('whatCouldNotBeTaken'),
    done: t('replacedDatabasesAreDeleted'),
  },
  backups: {
    title: t('oldBackups'),
    detail: items => t('olderBackups', { count: items }),
    verb: t('delete'),
    question: t('deleteAllBackupsButNewest'),
    consequence: t('youCanThenRestore'),
    done: t('oldBackupsAreDeleted'),
  },
  unused_images: {
    title: t('unusedImages'),
    detail: items => t('imagesNotNeeded', { count: items }),
    verb: t('delete'),
    question: t('deleteUnusedImages'),
    consequence: t('imageIsPulledAgain'),
    done: t('unusedImagesAreDeleted'),
  },
  unused_sandboxes: {
    title: t('unusedSandboxes'),
    detail: items => t('sandboxesNotUsed', { count: items }),
    verb: t('delete'),
    question: t('deleteUnusedSandboxes'),
    consequence: t('theirFilesAreDeleted'),
    done: t('unusedSandboxesAreDeleted'),
  },
}
