import { z } from 'zod'
import { dateTime } from './page.ts'
import { route } from './route.ts'

/** The disk that holds a folder. `low`: under 1 GB or 5 % (at most 20 GB) is free. `full`: nothing more can be stored. */
export const diskStatus = z.object({
  path: z.string(),
  free_bytes: z.number(),
  total_bytes: z.number(),
  state: z.enum(['ok', 'low', 'full']),
})
export type DiskStatus = z.output<typeof diskStatus>

/** `migration`: before a newer Atelier changed the tables. `restore`: what was replaced by a restored backup. */
export const BACKUP_KINDS = ['daily', 'manual', 'migration', 'restore'] as const
export type BackupKind = (typeof BACKUP_KINDS)[number]

/** A checked copy of the database. */
export const backup = z.object({
  name: z.string(),
  created_at: dateTime,
  bytes: z.number(),
  kind: z.enum(BACKUP_KINDS),
})
export type Backup = z.output<typeof backup>

/** What happened to the database at the last start that changed it, in words. */
export const storageNotice = z.object({
  kind: z.enum(['restored', 'salvaged', 'adopted', 'new']),
  at: dateTime,
  message: z.string(),
  /** Where the database that was in use before lies now. */
  kept_in: z.string().nullable(),
})
export type StorageNotice = z.output<typeof storageNotice>

/** Why the service asks before it opens a database: `missing` beside what belonged to one, or `damaged` for good. */
export const storageQuestion = z.object({
  kind: z.enum(['missing', 'damaged']),
  message: z.string(),
  kept_in: z.string().nullable(),
  /** Changes when it is asked again, because the last answer could not be carried out. */
  asked_at: dateTime,
  /** Why that was so. */
  problem: z.string().nullable(),
})
export type StorageQuestion = z.output<typeof storageQuestion>

/**
 * What can be deleted to free space. `backups`: all but the newest. `deleted_conversations`: space that deleted
 * conversations left empty inside the database; one that an earlier version made keeps it for new conversations.
 */
export const RECLAIMABLE_KINDS = ['backups', 'replaced_databases', 'logs', 'deleted_conversations'] as const
export const reclaimable = z.object({ kind: z.enum(RECLAIMABLE_KINDS), bytes: z.number(), files: z.int() })
export type Reclaimable = z.output<typeof reclaimable>

export const storageStatus = z.object({
  /** null while the database is open; otherwise every operation but these answers 503 `storage_undecided`. */
  question: storageQuestion.nullable(),
  notice: storageNotice.nullable(),
  disk: diskStatus.nullable(),
  database_bytes: z.number(),
  /** Newest first. */
  backups: z.array(backup),
  /** Why the last backup could not be made. */
  backup_problem: z.string().nullable(),
  reclaimable: z.array(reclaimable),
  /** Stored rows that cannot be read; everything else is shown. */
  damaged_rows: z.int(),
})
export type StorageStatus = z.output<typeof storageStatus>

const tag = 'Storage'
const params = z.object({ name: z.string().max(200) })

export const getStorage = route({
  method: 'get',
  path: '/api/v1/storage',
  summary: 'The database, its backups, and the disk that holds them',
  tag,
  reply: storageStatus,
})

export const makeBackup = route({
  method: 'post',
  path: '/api/v1/storage/backups',
  summary: 'Back the database up now; the copy is read from end to end before it counts',
  tag,
  status: 201,
  reply: backup,
})

export const deleteBackup = route({
  method: 'delete',
  path: '/api/v1/storage/backups/{name}',
  summary: 'Delete a backup',
  tag,
  params,
  failures: ['not_found'],
  reply: storageStatus,
})

/** The service answers, then closes and opens again on the same port with the backup. */
export const restoreBackup = route({
  method: 'post',
  path: '/api/v1/storage/backups/{name}/restore',
  summary: 'Replace the database by a backup; the present one is kept as a backup too',
  tag,
  params,
  failures: ['not_found'],
  reply: z.object({ restarting: z.literal(true) }),
})

export const freeStorage = route({
  method: 'post',
  path: '/api/v1/storage/free',
  summary:
    'Delete what is not needed: all backups but the newest, replaced databases, older logs, empty space of the database',
  tag,
  body: z.object({ kinds: z.array(z.enum(RECLAIMABLE_KINDS)).min(1) }),
  reply: storageStatus,
})

export const STORAGE_CHOICES = ['restore', 'adopt', 'new'] as const
export type StorageChoice = (typeof STORAGE_CHOICES)[number]

/** Only while the service asks. `restore` takes the named backup, or the newest one. */
export const answerStorage = route({
  method: 'post',
  path: '/api/v1/storage/answer',
  summary: 'Say what to do without a usable database: restore a backup, adopt the sandboxes, or begin anew',
  tag,
  body: z.object({ choice: z.enum(STORAGE_CHOICES), backup: z.string().max(200).nullish() }),
  failures: ['conflict'],
  reply: z.object({ restarting: z.literal(true) }),
})
