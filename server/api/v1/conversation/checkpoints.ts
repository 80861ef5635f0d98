import { z } from 'zod'
import { IN_CONVERSATION, IN_SANDBOX } from '../../contract/failures.ts'
import { page, pageQuery } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { conversationParams } from './params.ts'

const path = '/api/v1/app-conversations/{conversation_id}/checkpoints' as const
const tag = 'App conversations'

export const CHECKPOINT_REASONS = ['turn', 'step', 'before_restore', 'restored'] as const
export type CheckpointReason = (typeof CHECKPOINT_REASONS)[number]

export const checkpoint = z.object({
  id: z.string().describe('Id of the checkpoint.'),
  seq: z.int().describe('Number of the last event that the conversation had then; -1 before the first one.'),
  created_at: z.string().describe('When it was made, in ISO 8601.'),
  reason: z
    .enum(CHECKPOINT_REASONS)
    .describe(
      '`turn`: the agent began to answer a person. `step`: calls of the agent had changed files. `before_restore`: files had changed since the last one when another was restored. `restored`: it was restored.',
    ),
})
export type Checkpoint = z.output<typeof checkpoint>

export const listCheckpoints = route({
  method: 'get',
  path,
  summary: 'What the files of a conversation were at its steps',
  description:
    'Lists the checkpoints of the working directory, newest first. One is made before the agent answers a person, and after each step that changed files. It holds the files of the repository there and of those directly in it, new ones included, without ignored files and those above 10 MiB, and lies in the sandbox outside of every repository. The oldest are removed when there are more than 500, or when they take more than 1 GiB, but for that of the beginning and that of the last turn. The list is empty where nothing can be kept, as on a full disk.',
  tag,
  params: conversationParams,
  query: pageQuery.extend({
    event_id: z
      .string()
      .max(100)
      .nullish()
      .describe(
        'Lists only the checkpoint that holds what the files were at this event, with what was done to them by hand before the agent went on. The list is empty where they were not kept.',
      ),
  }),
  failures: [...IN_CONVERSATION, 'event_not_found'],
  reply: page(checkpoint),
})

export const restoreCheckpoint = route({
  method: 'post',
  path: `${path}/{checkpoint_id}/restore`,
  summary: 'Make the files of a conversation what they were at a checkpoint',
  description:
    'Writes and removes files so that they are as the checkpoint has them. What is there now becomes a checkpoint first, so that restoring that one goes forward again. The conversation, the commits and the branches stay, and so do ignored files and those above 10 MiB. 409 while the agent works, and where files change meanwhile or are not those of `version` any more: nothing is restored then.',
  tag,
  params: conversationParams.extend({ checkpoint_id: z.string().max(20).describe('Id of the checkpoint.') }),
  query: z.object({
    version: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/)
      .nullish()
      .describe(
        'What the files have to be, as a list of changes since the checkpoint named them; absent for anything.',
      ),
  }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'conversation_running', 'conflict', 'not_found', 'git_refused'],
  reply: z.object({
    before: checkpoint.describe('What the files were before: restore it to go forward again.'),
    files: z.int().describe('How many files were written or removed.'),
  }),
})
