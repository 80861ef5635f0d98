import { z } from 'zod'
import { IN_VAULT } from '../../contract/failures.ts'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'

/** The disk that holds a folder. `low`: under 1 GB or 5 % (at most 20 GB) is free. `full`: nothing more can be stored. */
export const diskStatus = z.object({
  path: z.string().describe('Folder that the disk holds.'),
  free_bytes: z.number().describe('Bytes that are free.'),
  total_bytes: z.number().describe('Bytes of the disk.'),
  state: z
    .enum(['ok', 'low', 'full'])
    .describe('`low` when under 1 GB or 5 % (at most 20 GB) is free, `full` when nothing more can be stored.'),
})
export type DiskStatus = z.output<typeof diskStatus>

/** `update`: before the desktop app installed another version. `migration`: before a newer Atelier changed the tables. `restore`: what was replaced by a restored backup. */
export const BACKUP_KINDS = ['daily', 'manual', 'update', 'migration', 'restore'] as const
export type BackupKind = (typeof BACKUP_KINDS)[number]

/** A checked copy of the database. */
export const backup = z.object({
  name: z.string().describe('Name of the backup, to restore or delete it.'),
  created_at: dateTime.describe('When it was made.'),
  bytes: z.number().describe('Size in bytes.'),
  kind: z
    .enum(BACKUP_KINDS)
    .describe(
      'Why it was made: each day, on request, before the desktop app installed another version, before a newer Atelier changed the tables, or before a restore.',
    ),
})
export type Backup = z.output<typeof backup>

/** What happened to the database when it last changed otherwise than by the work, in words. */
export const storageNotice = z.object({
  kind: z
    .enum(['restored', 'salvaged', 'adopted', 'new', 'rewritten', 'erased'])
    .describe(
      'What happened: a backup was restored, what could be read was salvaged, sandboxes were adopted, it began anew, it was written again because its file was removed, or all data was deleted and something of it is left.',
    ),
  at: dateTime.describe('When it happened.'),
  message: z.string().describe('What happened, in words for people.'),
  kept_in: z
    .string()
    .nullable()
    .describe('Where the database that was in use before lies now; null when there was none.'),
})
export type StorageNotice = z.output<typeof storageNotice>

/** Why the service asks before it opens a database: `missing` beside what belonged to one, `damaged` for good, or written by a `newer` Atelier. */
export const storageQuestion = z.object({
  kind: z
    .enum(['missing', 'damaged', 'newer'])
    .describe(
      'Whether the database is missing beside what belonged to it, damaged for good, or written by a newer Atelier, whose tables this one does not know.',
    ),
  message: z.string().describe('What happened and what there is to choose, in words for people.'),
  kept_in: z.string().nullable().describe('Where the damaged database lies now; null when there is none.'),
  asked_at: dateTime.describe('When it was asked; it changes when the last answer could not be carried out.'),
  problem: z
    .string()
    .nullable()
    .describe('Why the last answer could not be carried out, in words; null when none was given.'),
})
export type StorageQuestion = z.output<typeof storageQuestion>

/**
 * What can be deleted to free space. `backups`: all but the newest. `deleted_conversations`: space that deleted
 * conversations left empty inside the database; one that an earlier version made keeps it for new conversations.
 */
export const RECLAIMABLE_KINDS = ['backups', 'replaced_databases', 'logs', 'deleted_conversations'] as const
export const reclaimable = z.object({
  kind: z.enum(RECLAIMABLE_KINDS).describe('What can be deleted.'),
  bytes: z.number().describe('How many bytes that frees.'),
  files: z.int().describe('How many files that deletes.'),
})
export type Reclaimable = z.output<typeof reclaimable>

export const storageStatus = z.object({
  opened_at: dateTime.describe('When the service opened the data folder: it changes with a restart of any kind.'),
  question: storageQuestion
    .nullable()
    .describe(
      'What a person must decide; null while the database is open. Until then every operation but these answers 503 `storage_undecided`.',
    )
    .describe(
      'What a person must decide; null while the database is open. Until then every operation but these answers 503 `storage_undecided`.',
    ),
  notice: storageNotice
    .nullable()
    .describe(
      'What last happened to the database beside the work, at a start or because its file was removed; null for nothing.',
    ),
  disk: diskStatus.nullable().describe('Disk of the data folder; null where the system does not tell.'),
  database_bytes: z.number().describe('Size of the database in bytes.'),
  backups: z.array(backup).describe('Backups, newest first.'),
  backup_problem: z
    .string()
    .nullable()
    .describe('Why the last backup could not be made, in words; null when it could.'),
  reclaimable: z.array(reclaimable).describe('What can be deleted to free space.'),
  damaged_rows: z.int().describe('Stored rows that cannot be read; everything else is shown.'),
})
export type StorageStatus = z.output<typeof storageStatus>

const tag = 'Storage'
const params = z.object({ name: z.string().max(200).describe('Name of the backup.') })

export const getStorage = route({
  method: 'get',
  path: '/api/v1/storage',
  summary: 'The database, its backups, and the disk that holds them',
  description: 'Shows the state of the database, its backups, the disk that holds them and what can be deleted.',
  tag,
  reply: storageStatus,
})

export const makeBackup = route({
  method: 'post',
  path: '/api/v1/storage/backups',
  summary: 'Back the database up now',
  description: 'Copies the database now and reads the copy from end to end before it counts.',
  tag,
  status: 201,
  reply: backup,
})

export const deleteBackup = route({
  method: 'delete',
  path: '/api/v1/storage/backups/{name}',
  summary: 'Delete a backup',
  description: 'Deletes a backup.',
  tag,
  params,
  failures: ['not_found'],
  reply: storageStatus,
})

/** The service answers, then closes and opens again on the same port with the backup. */
export const restoreBackup = route({
  method: 'post',
  path: '/api/v1/storage/backups/{name}/restore',
  summary: 'Replace the database by a backup',
  description:
    'Puts a backup in the place of the database, which is kept as a backup too. The service answers, then closes and opens again on the same port.',
  tag,
  params,
  failures: ['not_found'],
  reply: z.object({
    restarting: z.literal(true).describe('Always true: the service closes and opens again on the same port.'),
  }),
})

/** As a body, so that nothing but a request that means it deletes anything. */
export const ERASE_CONFIRMATION = 'delete all data'

export const eraseStorage = route({
  method: 'post',
  path: '/api/v1/storage/erase',
  summary: 'Delete all data',
  description:
    'Deletes conversations, settings, backups and logs, what is stored in the keychain, and sandboxes, images, volumes and networks of every engine that answers. Agents are stopped. Folders of this computer, and what was pushed, stay. The service answers, closes, deletes, and opens again on the same port as on its first day, with another key; what could not be deleted is in `notice` of the storage.',
  tag,
  body: z.object({
    confirmation: z.literal(ERASE_CONFIRMATION).describe('Says that it is meant: there is no way back.'),
  }),
  failures: IN_VAULT,
  reply: z.object({
    restarting: z.literal(true).describe('Always true: the service closes and opens again on the same port.'),
  }),
})

export const freeStorage = route({
  method: 'post',
  path: '/api/v1/storage/free',
  summary: 'Delete what is not needed',
  description:
    'Deletes what the body names and is not needed: all backups but the newest, replaced databases, older logs.',
  tag,
  body: z.object({ kinds: z.array(z.enum(RECLAIMABLE_KINDS)).min(1).describe('What to delete.') }),
  reply: storageStatus,
})

export const STORAGE_CHOICES = ['restore', 'adopt', 'new'] as const
export type StorageChoice = (typeof STORAGE_CHOICES)[number]

/** Only while the service asks. `restore` takes the named backup, or the newest one. */
export const answerStorage = route({
  method: 'post',
  path: '/api/v1/storage/answer',
  summary: 'Say what to do without a usable database',
  description:
    'Decides what a service without a usable database does, then opens it again on the same port. 409 when it does not ask.',
  tag,
  body: z.object({
    choice: z
      .enum(STORAGE_CHOICES)
      .describe('What to do: restore a backup, adopt the sandboxes that are there, or begin anew.'),
    backup: z.string().max(200).nullish().describe('Backup to restore; absent is the newest one.'),
  }),
  failures: ['conflict'],
  reply: z.object({
    restarting: z.literal(true).describe('Always true: the service closes and opens again on the same port.'),
  }),
})
