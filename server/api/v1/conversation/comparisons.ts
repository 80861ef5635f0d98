import { z } from 'zod'
import { IN_CONVERSATION, IN_SANDBOX } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { argumentText } from '../../event/argument-text.ts'
import { checkpoint } from './checkpoints.ts'
import { conversationParams } from './params.ts'
import { reviewContent } from './review.ts'

const tag = 'App conversations'
const path = (rest: string) =>
  `/api/v1/app-conversations/{conversation_id}/comparisons/{other_conversation_id}/${rest}` as const
const params = conversationParams.extend({
  other_conversation_id: z.string().max(100).describe('Id of the conversation to compare with.'),
})

const version = z
  .string()
  .regex(/^[0-9a-f]{40,64}\.[0-9a-f]{40,64}\.[0-9a-f]{64}$/)
  .describe('Names the files of both and how they differ, as the list gave it.')

const fileVersion = z
  .string()
  .regex(/^(?:[0-9a-f]{40,64})?\.(?:[0-9a-f]{40,64})?(?:\.(?:[0-9a-f]{40,64}|-)?){2}$/)
  .describe('Names the contents of the file: what both have, and what each of them had before it changed it.')

const sideChange = z.object({
  status: z.enum(['ADDED', 'UPDATED', 'DELETED']).describe('What has happened to the file.'),
  additions: z.int().nullable().describe('Lines that were added; null for a binary file.'),
  deletions: z.int().nullable().describe('Lines that were removed; null for a binary file.'),
})
export type SideChange = z.output<typeof sideChange>

export const comparedFile = z.object({
  path: z
    .string()
    .describe(
      'Path of the file from the working directory. A byte that is no UTF-8 is written as `\\xE9`, and a backslash that would begin such a thing as `\\x5C`.',
    ),
  state: z
    .enum(['differs', 'same', 'only_here', 'only_there', 'moved'])
    .describe(
      '`same`: both have changed it to the same content. `moved`: the same content lies elsewhere in the other conversation, at `other_path`.',
    ),
  other_path: z.string().nullable().describe('Where a moved file lies in the other conversation; null for any other.'),
  here: sideChange.nullable().describe('What this conversation has done to it since they parted; null for nothing.'),
  there: sideChange.nullable().describe('What the other one has done to it since then; null for nothing.'),
  here_mode: z.string().nullable().describe('Mode of the file in this conversation, as git writes it; null for none.'),
  there_mode: z.string().nullable().describe('Mode of it in the other one; null for none.'),
  version: fileVersion,
})
export type ComparedFile = z.output<typeof comparedFile>

export const comparison = z.object({
  files: z.array(comparedFile).describe('By path: what differs, and what both have changed in the same way.'),
  complete: z.boolean().describe('Whether these are all; false when there are more than are listed.'),
  has_common_files: z
    .boolean()
    .describe('Whether they went on from files that both still have; otherwise `here` and `there` are null.'),
  version,
})
export type Comparison = z.output<typeof comparison>

/** At most 10,000 files. */
export const compareConversations = route({
  method: 'get',
  path: path('files'),
  summary: 'What the files of two conversations have in common and where they differ',
  description:
    'Compares the working directories of two conversations, such as a fork with its original or two attempts, by their newest checkpoints: those of now, or of the last step of an agent that works. It says of each file what either has done to it since the last checkpoint that both have. Ignored files and those above 10 MiB are in no checkpoint and not compared. 409 where one of the sandboxes does not run or cannot keep files.',
  tag,
  params,
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'git_refused'],
  reply: comparison,
})

/** Text of at most 1 MiB and images of at most 4 MiB. */
export const getComparedFile = route({
  method: 'get',
  path: path('file'),
  summary: 'A file as two conversations have it',
  description:
    'Reads two sides of a file as the list had it: of both conversations, or of one and of what they parted from. What is read is what the list named, or 409. 413 for what is larger than 1 MiB of text or 4 MiB of an image, 409 where it is not kept any more.',
  tag,
  params,
  query: z.object({
    path: argumentText(4096).min(1).describe('Path of the file, as the list has it.'),
    version: fileVersion,
    sides: z
      .enum(['both', 'here', 'there'])
      .default('both')
      .describe(
        '`both`: `original` is the file of this conversation, `modified` that of the other. `here` and `there`: what that conversation has done to it since they parted.',
      ),
  }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'bad_request', 'file_too_large', 'conflict'],
  reply: reviewContent.omit({ version: true }),
})

export const takeComparedFiles = route({
  method: 'post',
  path: path('take'),
  summary: 'Make files of a conversation what they are in another one',
  description:
    'Writes and removes the named files so that they are as the other conversation has them; all others stay. What is there now becomes a checkpoint first, and the reply names it: restoring it takes this back. 409 while an agent works in either, and when files have changed since the list was made or change meanwhile: nothing is written then.',
  tag,
  params,
  body: z.object({
    version,
    paths: z
      .array(argumentText(4096).min(1))
      .min(1)
      .max(10_000)
      .describe('Paths of the files; those that do not differ are left as they are.'),
  }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'conversation_running', 'conflict', 'git_refused'],
  reply: z.object({
    before: checkpoint.describe('What the files were before: restore it to take this back.'),
    files: z.int().describe('How many files were written or removed.'),
  }),
})
