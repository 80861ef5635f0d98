import { z } from 'zod'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { dataLeftOut, dataProgress } from './exports.ts'

const tag = 'Data'
const params = z.object({ import_id: z.string().max(100).describe('Id of the import.') })

const counts = z.object({
  conversations: z.int().describe('Conversations.'),
  events: z.int().describe('Events of these conversations.'),
  models: z.int().describe('Saved models.'),
  specs: z.int().describe('Sandbox specs.'),
  secrets: z.int().describe('Secrets.'),
})

/** What stands in a file, before anything of it is stored. */
export const dataContents = z.object({
  app_version: z.string().nullable().describe('Version of the Atelier that wrote it; null for a folder of OpenHands.'),
  exported_at: dateTime.nullable().describe('When it was written; null for a folder of OpenHands.'),
  has_settings: z.boolean().describe('Whether it holds settings.'),
  settings: z
    .array(
      z.object({
        name: z.string().describe('Name of the setting, as settings have it.'),
        value: z.string().describe('Its value in the file, as JSON.'),
      }),
    )
    .describe('Settings that are not as they are here, and would be taken over. What guards this computer never is.'),
  has_secret_values: z
    .boolean()
    .describe('Whether it holds values of secrets: in a file a passphrase opens them, in a folder they lie open.'),
  counts: counts.describe('What it holds.'),
  present: counts.describe('What of that is here already, and is kept as it is.'),
  working_folders: z
    .int()
    .describe('Working folders in it; each comes with its conversation, and goes on in a new sandbox with it.'),
  unreadable_events: z.int().describe('Events that cannot be read; a notice takes the place of each.'),
  secret_names: z.array(z.string()).describe('Names of its secrets.'),
  provider_tokens: z
    .array(z.string())
    .describe('Git providers whose tokens lie in a folder of OpenHands; those of a file are known when it is opened.'),
  left_out: dataLeftOut.describe('What could not go along when it was written.'),
  problems: z.array(z.string()).describe('What of a folder of OpenHands will not come over, and why, in words.'),
})
export type DataContents = z.output<typeof dataContents>

export const dataImportResult = z.object({
  added: counts.describe('What was added.'),
  kept: counts.describe('What was here already, and was kept as it is.'),
  working_folders: z
    .int()
    .describe('Working folders that came, also of conversations that had come without one before.'),
  settings: z.int().describe('Settings that were taken over.'),
  settings_kept: z
    .array(z.string())
    .describe(
      'Settings that were not taken over: they guard this computer or are made for one, do not fit, or would send a stored key to another address.',
    ),
  secrets_without_value: z.array(z.string()).describe('Secrets whose values have to be entered here.'),
  provider_tokens: z.array(z.string()).describe('Git providers whose tokens were added.'),
  problems: z.array(z.string()).describe('What could not be added, and why, in words.'),
  backup: z.string().nullable().describe('Backup of the database from before, which undoes the import; null for none.'),
})
export type DataImportResult = z.output<typeof dataImportResult>

export const dataImport = z.object({
  import_id: z.string().describe('Id of the import.'),
  state: z
    .enum(['checking', 'checked', 'importing', 'imported', 'stopped', 'failed'])
    .describe(
      '`checking`: the file is read from end to end. `checked`: it waits for a start. `stopped`: it was given up; whole conversations that were added stay.',
    ),
  source: z.enum(['file', 'openhands']).describe('A file of another Atelier, or a folder of OpenHands.'),
  file_name: z.string().describe('Name of the file, or path of the folder.'),
  progress: dataProgress.describe('How far the check, or the import, is.'),
  contents: dataContents.nullable().describe('What stands in the file; null until it was checked.'),
  result: dataImportResult.nullable().describe('What became of it; null until it has ended.'),
  problem: z.string().nullable().describe('Why it failed, in words; null otherwise.'),
})
export type DataImport = z.output<typeof dataImport>

export const uploadDataImport = route({
  method: 'post',
  path: '/api/v1/data/imports',
  summary: 'Look into a file with exported data',
  description:
    'Takes the file as the one file of a form and begins to check it; nothing of it is stored yet. 429 while another file is being checked or imported.',
  tag,
  failures: ['bad_request'],
  status: 201,
  reply: dataImport,
})

export const lookIntoOpenHands = route({
  method: 'post',
  path: '/api/v1/data/imports/openhands',
  summary: 'Look into a folder of OpenHands',
  description:
    'Begins to read the settings, secrets and conversations that OpenHands keeps on this computer; nothing is stored yet, and nothing is ever written there. What is found is added as what a file holds is. 429 while another import is being checked or carried out.',
  tag,
  body: z
    .object({
      folder: z
        .string()
        .min(1)
        .max(4096)
        .nullish()
        .describe('Whole path of the folder; absent is `.openhands` in the home folder.'),
    })
    .nullish(),
  failures: ['bad_request'],
  status: 201,
  reply: dataImport,
})

export const getDataImport = route({
  method: 'get',
  path: '/api/v1/data/imports/{import_id}',
  summary: 'What stands in a file, and how far its import is',
  description:
    'Shows an import. A file that is not imported within an hour, or before another one has been checked, is deleted.',
  tag,
  params,
  failures: ['not_found'],
  reply: dataImport,
})

export const startDataImport = route({
  method: 'post',
  path: '/api/v1/data/imports/{import_id}/start',
  summary: 'Add what a file holds',
  description:
    'Backs the database up, then adds what is not here yet; what is here is kept as it is. Each conversation is added whole or not at all. 409 unless the file was checked and while another is imported, 400 for a passphrase that does not open its secrets: then nothing has changed.',
  tag,
  params,
  body: z
    .object({
      settings: z
        .boolean()
        .default(false)
        .describe(
          'Whether its settings take the place of the present ones. With the passphrase, keys and tool servers that are missing here go with them.',
        ),
      conversations: z.boolean().default(true).describe('Whether its conversations are added.'),
      secrets: z
        .boolean()
        .default(false)
        .describe(
          'Whether the values of secrets of a folder of OpenHands go to the keychain; a file needs its passphrase.',
        ),
      passphrase: z.string().max(1000).nullish().describe('Opens the values of its secrets; absent leaves them out.'),
    })
    .nullish()
    .transform(body => body ?? { settings: false, conversations: true, secrets: false }),
  failures: ['not_found', 'conflict', 'bad_request'],
  reply: dataImport,
})

export const deleteDataImport = route({
  method: 'delete',
  path: '/api/v1/data/imports/{import_id}',
  summary: 'Give an import up, or forget it',
  description:
    'Ends a check or an import, whose conversations that are whole stay, and deletes the file. An import that is given up can still be read; one that has ended is forgotten.',
  tag,
  params,
  failures: ['not_found'],
  reply: z.object({ success: z.literal(true).describe('Always true.') }),
})
