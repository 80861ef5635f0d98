import { z } from 'zod'
import { appConversationStartRequest, appConversationStartTask } from './app-conversation-starts.ts'
import { route } from './route.ts'

const where = appConversationStartRequest.pick({
  sandbox_spec_id: true,
  selected_repository: true,
  selected_branch: true,
  git_provider: true,
  title: true,
})

export const replayRequest = where.extend({
  events: z
    .array(z.record(z.string(), z.unknown()))
    .max(100_000)
    .describe(
      "Events of either generation, in their order. Only the user's first message and the agent's messages and actions count.",
    ),
})
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
