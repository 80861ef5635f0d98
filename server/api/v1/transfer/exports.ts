import { z } from 'zod'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'

const tag = 'Data'
const params = z.object({ export_id: z.string().max(100).describe('Id of the export.') })

const MIN_PASSPHRASE = 12
const MIN_DIFFERENT = 6

/** Whoever has the file can try as many as a computer can in any time. */
export const newPassphrase = z
  .string()
  .min(MIN_PASSPHRASE, `A passphrase has at least ${MIN_PASSPHRASE} characters.`)
  .max(1000)
  .refine(
    text => new Set(text).size >= MIN_DIFFERENT,
    `A passphrase has at least ${MIN_DIFFERENT} different characters.`,
  )

/** How far the writing or reading of such a file is. */
export const dataProgress = z.object({
  conversations: z.int().describe('Conversations that are done.'),
  conversations_total: z.int().describe('Conversations in all.'),
  events: z.int().describe('Events that are done.'),
  events_total: z.int().describe('Events in all, as far as it is known.'),
  folders: z.int().describe('Working folders that are done; they come first when a file is written.'),
  folders_total: z.int().describe('Working folders in all; 0 where none go along.'),
})
export type DataProgress = z.output<typeof dataProgress>

export const dataLeftOut = z.object({
  specs: z.array(z.string()).describe('Titles of sandbox specs whose image no other computer can get.'),
  variables: z.array(z.string()).describe('Names of variables of sandbox specs whose values may be secret.'),
  sign_ins: z.array(z.string()).describe('Git providers that were signed in to; sign in anew on the other computer.'),
  damaged_conversations: z.int().describe('Conversations that could not be read.'),
  working_folders: z
    .array(z.string())
    .describe('Titles of conversations whose working folder could not go along, each with the reason.'),
})
export type DataLeftOut = z.output<typeof dataLeftOut>

export const dataExport = z.object({
  export_id: z.string().describe('Id of the export.'),
  state: z.enum(['writing', 'ready', 'failed']).describe('Whether the file is being written, is ready, or failed.'),
  file_name: z.string().describe('Name of the file.'),
  created_at: dateTime.describe('When the export was asked for.'),
  has_secret_values: z.boolean().describe('Whether the values of secrets are in it, under a passphrase.'),
  bytes: z.int().nullable().describe('Size of the file; null until it is ready.'),
  progress: dataProgress.describe('How far it is.'),
  left_out: dataLeftOut.describe(
    'What could not go along. Checkpoints, trust, and files of sandboxes beside their working folders never do.',
  ),
  problem: z.string().nullable().describe('Why it failed, in words; null otherwise.'),
})
export type DataExport = z.output<typeof dataExport>

export const startDataExport = route({
  method: 'post',
  path: '/api/v1/data/exports',
  summary: 'Write everything to one file',
  description:
    'Begins to write conversations, settings, saved models, sandbox specs and names of secrets to a ZIP archive for another computer, by choice with the working folders of conversations. With a passphrase it holds the values of secrets too, encrypted. 429 while another export is being written.',
  tag,
  body: z
    .object({
      passphrase: newPassphrase
        .nullish()
        .describe(
          'Encrypts the values of secrets, which are in the file only then. At least 12 characters, 6 of them different; it is not stored.',
        ),
      working_folders: z
        .boolean()
        .default(false)
        .describe(
          'Whether the working folders of conversations go along: every file of theirs in its sandbox as it is, also what git ignores and what may be secret.',
        ),
    })
    .nullish()
    .transform(body => body ?? { working_folders: false }),
  status: 201,
  reply: dataExport,
})

export const getDataExport = route({
  method: 'get',
  path: '/api/v1/data/exports/{export_id}',
  summary: 'How far an export is',
  description:
    'Shows an export while it is written, and until its file is deleted, an hour after it is ready at the latest.',
  tag,
  params,
  failures: ['not_found'],
  reply: dataExport,
})

export const downloadDataExport = route({
  method: 'get',
  path: '/api/v1/data/exports/{export_id}/file',
  summary: 'The file of an export',
  description: 'Sends the file that an export has written. 409 until it is ready.',
  tag,
  params,
  failures: ['not_found', 'conflict'],
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/zip' },
})

export const deleteDataExport = route({
  method: 'delete',
  path: '/api/v1/data/exports/{export_id}',
  summary: 'Give an export up, or delete its file',
  description: 'Ends an export that is being written, and deletes the file of one that is ready.',
  tag,
  params,
  failures: ['not_found'],
  reply: z.object({ success: z.literal(true).describe('Always true.') }),
})
