import type { Removable } from '../../../server/api/v1/sandbox/removable.ts'
import type { BackupKind, Reclaimable, StorageNotice } from '../../../server/api/v1/system/storage.ts'
import { t } from '../text.ts'

export const STORAGE_NOTICES: Record<StorageNotice['kind'], string> = {
  restored: t('backupWasRestored'),
  salvaged: t('databaseWasRepaired'),
  adopted: t('newDatabaseWasBegun'),
  new: t('newDatabaseWasBegun'),
  rewritten: t('databaseFileWasRemoved'),
  erased: t('somethingWasNotDeleted'),
}

const RECENT_MS = 14 * 24 * 60 * 60_000

/** A browser that comes later than that is not notified any more. */
export function isRecent({ at }: Pick<StorageNotice, 'at'>, now: number): boolean {
  return now - Date.parse(at) < RECENT_MS
}

export const BACKUP_REASONS: Record<BackupKind, string> = {
  daily: t('daily'),
  manual: t('onRequest'),
  update: t('beforeUpdate'),
  migration: t('beforeUpdate'),
  restore: t('beforeRestore'),
}

export type GroupKind = Reclaimable['kind'] | Removable['kind']

/** What can go, in the order in which it is shown: what nobody misses comes first. `loss`: what is lost by it, and what is not. */
export const REMOVABLE_GROUPS: Record<GroupKind, { title: string; loss: string }> = {
  logs: { title: t('olderLogs'), loss: t('theyAreNeeded') },
  deleted_conversations: { title: t('spaceOfDeletedConversations'), loss: t('nothingIsLost') },
  build_layers: { title: t('leftoversOfBuilds'), loss: t('nextBuildTakesLonger') },
  cache: { title: t('unusedCaches'), loss: t('cachesAreFilledAgain') },
  image: { title: t('unusedImages'), loss: t('imageIsPulledAgain') },
  backups: { title: t('oldBackups'), loss: t('youCanThenRestore') },
  replaced_databases: { title: t('replacedDatabases'), loss: t('whatCouldNotBeTaken') },
  service_volume: { title: t('dataOfServices'), loss: t('serviceDataIsLost') },
  sandbox: { title: t('unusedSandboxes'), loss: t('theirFilesAreDeleted') },
}

export const OWN_DETAILS: Record<Reclaimable['kind'], (items: number) => string> = {
  logs: count => t('files', { count }),
  deleted_conversations: () => t('insideDatabase'),
  replaced_databases: count => t('keptDatabases', { count }),
  backups: count => t('olderBackups', { count }),
}

export const REMOVABLE_REASONS: Record<Removable['reason'], string> = {
  no_conversation: t('noConversationWorksInIt'),
  not_running: t('itDoesNotRun'),
  earlier_version: t('ofEarlierVersion'),
  other_spec: t('ofOtherSpec'),
  dev_container: t('ofDevContainer'),
  unfinished_build: t('buildCameToNoImage'),
  no_sandbox: t('noSandboxHasIt'),
  no_service: t('noServiceHasIt'),
}
