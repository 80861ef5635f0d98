import { z } from 'zod'
import { route } from '../../contract/route.ts'
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
