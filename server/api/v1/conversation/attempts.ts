import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION } from '../../contract/failures.ts'
import { dateTime, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { executionStatus } from '../../event/events.ts'
import { lineText } from '../../input-text.ts'
import { conversationParams } from './params.ts'

const path = '/api/v1/app-conversations/{conversation_id}/attempts' as const
const tag = 'App conversations'

/** Each takes a sandbox of its own, with its memory and disk. */
export const MAX_ATTEMPTS = 8

export const attemptCheck = z.object({
  exit_code: z.int().describe('How the command ended: 0 is a success, -1 that it took too long.'),
  output: z.string().describe('The end of what it wrote.'),
})

export const attemptChanges = z.object({
  files: z.int().describe('How many files differ from those that it began with.'),
  additions: z.int().describe('Lines that were added to them.'),
  deletions: z.int().describe('Lines that were removed from them.'),
})

export const attempt = z.object({
  number: z.int().describe('Its place among all that were asked for, from 1.'),
  conversation_id: z.string().describe('Conversation of the attempt, which is there once it has started.'),
  start_task_id: z.string().describe('Its start.'),
  llm_model: z
    .string()
    .nullable()
    .describe('Model that it is made with; null for that of the conversation, until it has started.'),
  profile: z.string().nullable().describe('Name of the saved model that it was begun with; null for none.'),
  state: z
    .enum(['starting', 'failed', 'working', 'waiting', 'checking', 'done'])
    .describe(
      '`failed`: it could not be started. `waiting`: it waits for a person, or was paused. `checking`: its changes are counted and the check runs. `done`: the agent has ended, and what there is to know is known.',
    ),
  detail: z
    .string()
    .nullable()
    .describe('What keeps it, why it failed, or why it could not be checked; null for nothing.'),
  execution_status: executionStatus.nullable().describe('What its agent is doing; null until it has started.'),
  steps: z.int().describe('Steps of its agent so far.'),
  cost: z.number().nullable().describe('US dollars so far; null where a model without a known price has answered.'),
  seconds: z
    .number()
    .nullable()
    .describe('Time from its start to the last thing that happened; null until it has started.'),
  changes: attemptChanges
    .nullable()
    .describe('What it has changed; null until it is done, or where that cannot be told.'),
  check: attemptCheck.nullable().describe('What came of the check; null without one, and until it is done.'),
})
export type Attempt = z.output<typeof attempt>

export const attemptSet = z.object({
  id: z.string().describe('Id of the attempts.'),
  created_at: dateTime.describe('When they were begun.'),
  task: z.string().describe('What was said to each of them.'),
  check: z.string().nullable().describe('Command that says how good each of them is; null for none.'),
  attempts: z
    .array(attempt)
    .describe('In the order in which they were asked for; those that were deleted are left out.'),
})
export type AttemptSet = z.output<typeof attemptSet>

/** How many are made, with what, and what says whether one is good. */
export const attemptChoice = z.object({
  models: z
    .array(lineText(500).nullable())
    .min(1)
    .max(MAX_ATTEMPTS)
    .describe('Model of each attempt, as `provider/model`; null for that of the conversation. So many are made.'),
  profiles: z
    .array(lineText(500).nullable())
    .max(MAX_ATTEMPTS)
    .nullish()
    .describe(
      'Saved model of each attempt by its name, in the order of `models`, whose entry it takes the place of with its address and key; null for none.',
    ),
  check: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .nullish()
    .describe('Shell command that runs in the working directory of each when its agent has ended, such as `npm test`.'),
})
export type AttemptChoice = z.output<typeof attemptChoice>

export const beginAttempts = route({
  method: 'post',
  path,
  tag,
  status: 201,
  summary: 'Try one task several times',
  description:
    'Starts several conversations that go on from this one, each in a copy of its sandbox, and gives all of them the same task. When an agent has ended its changes are counted, and the check runs in its sandbox.',
  params: conversationParams,
  body: z.object({
    task: z.string().trim().min(1).max(100_000).describe('What is said to each of them.'),
    ...attemptChoice.shape,
    from_event_id: z
      .string()
      .max(200)
      .nullish()
      .describe('Event that they go on from, with the files of then; absent is where the conversation stands.'),
  }),
  failures: [...IN_OWN_CONVERSATION, 'model_not_set', 'not_found'],
  reply: attemptSet,
})

export const listAttempts = route({
  method: 'get',
  path,
  tag,
  summary: 'What came of the attempts that were begun from a conversation',
  description: 'Lists them with what each has cost, changed and passed, the last ones first.',
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.object({ items: z.array(attemptSet).describe('The last ones first.') }),
})

const setParams = conversationParams.extend({ attempts_id: z.string().max(100).describe('Id of the attempts.') })

export const keepAttempt = route({
  method: 'post',
  path: `${path}/{attempts_id}/keep`,
  tag,
  summary: 'Keep one attempt and delete the others',
  description:
    'Deletes the conversations of the other attempts with their sandboxes. The one that is kept goes on as a conversation like any other.',
  params: setParams,
  body: z.object({ conversation_id: z.string().describe('Conversation of the attempt that is kept.') }),
  failures: [...IN_CONVERSATION, 'not_found'],
  reply: success,
})

export const deleteAttempts = route({
  method: 'delete',
  path: `${path}/{attempts_id}`,
  tag,
  summary: 'Delete all attempts',
  description: 'Deletes the conversations of all these attempts with their sandboxes, also of those that work.',
  params: setParams,
  failures: [...IN_CONVERSATION, 'not_found'],
  reply: success,
})
