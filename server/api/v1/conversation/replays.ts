import { z } from 'zod'
import { route } from '../../contract/route.ts'
import { gitProvider } from './conversations.ts'
import { appConversationStartRequest, appConversationStartTask } from './starts.ts'

const where = appConversationStartRequest.pick({
  sandbox_spec_id: true,
  selected_repository: true,
  selected_branch: true,
  git_provider: true,
  title: true,
})

export const replayRequest = where.extend({
  events: z
    .array(z.unknown())
    .max(100_000)
    .check(refuseFirstNonObject)
    .meta({
      description:
        "Events of either generation, in their order. Only the user's first message and the agent's messages and actions count.",
      items: { type: 'object', additionalProperties: {} },
    }),
})

/** Of a million values that are no events, one is named: a schema of the items would tell of each. */
function refuseFirstNonObject({ value, issues }: z.core.ParsePayload<unknown[]>): void {
  const index = value.findIndex(item => typeof item !== 'object' || item === null || Array.isArray(item))
  if (index !== -1) issues.push({ code: 'invalid_type', expected: 'record', input: value[index], path: [index] })
}
export type ReplayRequest = z.output<typeof replayRequest>

export const startReplay = route({
  method: 'post',
  path: '/api/v1/replays',
  summary: 'Replay a recorded conversation',
  description:
    'Starts a conversation in which what the agent said and called is taken from recorded events, not from a model. The calls are carried out anew in a new sandbox.',
  tag: 'App conversations',
  body: replayRequest,
  failures: ['bad_request', 'trajectory_invalid'],
  reply: appConversationStartTask,
})

export const savedLogForm = z.object({
  file: z.string().meta({ format: 'binary' }).describe('The saved log; at most 100 MB.'),
})

export const savedLog = z.object({
  events: z
    .array(z.record(z.string(), z.unknown()))
    .describe('What a replay takes from it, as `POST /api/v1/replays` takes it; at most 8 MB.'),
  first_message: z.string().describe("The user's first message; empty when the log does not begin with one."),
  agent_steps: z.int().describe('How often the agent acted or spoke.'),
  has_sub_agents: z
    .boolean()
    .describe('Whether it hands work to sub-agents. What they said is in logs of their own, so they ask a model.'),
  selected_repository: z.string().nullable().describe('Where the agent worked; null when the log does not say.'),
  selected_branch: z.string().nullable().describe('Branch of the repository; null when the log does not say.'),
  git_provider: gitProvider.nullable().describe('Provider of the repository; null when the log does not say.'),
})
export type SavedLog = z.output<typeof savedLog>

export const readSavedLog = route({
  method: 'post',
  path: '/api/v1/replays/read',
  summary: 'Read a saved log for a replay',
  description:
    "Reads the ZIP archive of a conversation's download, or JSON of events of either generation, and gives back what a replay takes from it, without what the person went back from. Nothing is stored.",
  tag: 'App conversations',
  media: { body: 'multipart/form-data' },
  body: savedLogForm,
  failures: ['bad_request', 'trajectory_invalid'],
  reply: savedLog,
})
