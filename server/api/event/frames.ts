import { z } from 'zod'
import { dateTime } from '../contract/page.ts'
import { event, executionStatus } from './events.ts'
import { conversationStats } from './metrics.ts'

/** A piece of the model's answer as it comes; the stored event follows and replaces it. */
export const streamingDeltaEvent = z.object({
  kind: z.literal('StreamingDeltaEvent'),
  id: z.string().describe('Id of this piece; it names nothing that is stored.'),
  timestamp: dateTime.describe('When the piece came.'),
  source: z.literal('agent'),
  content: z
    .string()
    .optional()
    .describe("Next piece of the answer's text; absent when it is a piece of something else."),
  reasoning_content: z
    .string()
    .optional()
    .describe("Next piece of the model's reasoning; absent when it is a piece of something else."),
})
export type StreamingDeltaEvent = z.output<typeof streamingDeltaEvent>

/**
 * All that has come of an answer that goes on, for who joins in the middle of it; its next pieces follow. Nothing in it: what came
 * is void, and the answer begins anew. An answer of more than a million characters is left out.
 */
export const answerSoFarEvent = z.object({
  kind: z.literal('AnswerSoFarEvent'),
  id: z.string().describe('Id of this frame; it names nothing that is stored.'),
  timestamp: dateTime.describe('When the frame was made.'),
  source: z.literal('agent'),
  content: z.string().describe("The answer's text so far; it takes the place of the pieces that came before."),
  reasoning_content: z.string().describe("The model's reasoning so far; it takes the place of the pieces before."),
})
export type AnswerSoFarEvent = z.output<typeof answerSoFarEvent>

/** A piece of a running command's output; the observation follows and replaces it. */
export const outputDeltaEvent = z.object({
  kind: z.literal('OutputDeltaEvent'),
  id: z.string().describe('Id of this piece; it names nothing that is stored.'),
  timestamp: dateTime.describe('When the piece came.'),
  source: z.literal('environment'),
  tool_call_id: z.string().describe('Call whose command is running.'),
  tail: z
    .string()
    .describe('Last lines of the output so far, rendered as text; they replace the tail that came before.'),
})

/** The model has given no sign of life for a while; comes again every 20 s, and with null when it speaks or the call ends. */
export const modelSilenceEvent = z.object({
  kind: z.literal('ModelSilenceEvent'),
  id: z.string().describe('Id of this notice; it names nothing that is stored.'),
  timestamp: dateTime.describe('When the notice was made.'),
  source: z.literal('environment'),
  since: dateTime
    .nullable()
    .describe('Since when the model has said nothing; null when it speaks again or the call has ended.'),
})

/** The first frame of a socket, and one after each run: the whole live state of the conversation. */
export const fullStateEvent = z.object({
  kind: z.literal('ConversationStateUpdateEvent'),
  id: z.string().describe('Id of this frame; it names nothing that is stored.'),
  timestamp: dateTime.describe('When the state was read.'),
  source: z.literal('environment'),
  key: z.literal('full_state'),
  value: z
    .object({
      id: z.string().describe('Id of the conversation: 32 hexadecimal digits.'),
      title: z.string().nullable().describe('Title for people; null until there is one.'),
      execution_status: executionStatus.describe('What the agent is doing.'),
      stats: conversationStats.describe('Steps, tokens and cost so far.'),
      max_iterations: z.int().describe('Steps that the agent may take before it pauses.'),
      max_budget_per_task: z
        .number()
        .nullable()
        .describe('US dollars that it may cost before the agent pauses; null for no limit.'),
      last_seq: z.int().describe('Sequence number of the newest stored event; -1 when there is none.'),
    })
    .describe('The live state of the conversation.'),
})
export type FullStateEvent = z.output<typeof fullStateEvent>

export const serverErrorEvent = z.object({
  kind: z.literal('ServerErrorEvent'),
  id: z.string().describe('Id of this notice; it names nothing that is stored.'),
  timestamp: dateTime.describe('When it happened.'),
  source: z.literal('environment'),
  code: z.string().describe('Error code of the failure, to branch on.'),
  detail: z.string().describe('What happened and what to do next, in words for people.'),
})

export const transientEvent = z.union([
  streamingDeltaEvent,
  answerSoFarEvent,
  outputDeltaEvent,
  modelSilenceEvent,
  fullStateEvent,
  serverErrorEvent,
])
export type TransientEvent = z.output<typeof transientEvent>

/**
 * Frames of the WebSocket `/sockets/events/{conversation_id}`: first `full_state`, then stored events from the point
 * asked for (`after_seq=N`, or `resend_mode=all`), then an `AnswerSoFarEvent` where an answer is coming and the newest
 * `OutputDeltaEvent` of each command that runs, then live ones; no gap, no duplicate. `resend_all=true`, as clients of
 * November 2025 ask, sends the kinds of events that they know (`EVENT_DIALECTS`). The key comes in the
 * `X-Session-API-Key` header, in the query `session_api_key`, or in a first frame `{"type":"auth","session_api_key":"…"}`
 * within 10 s. Close codes: 4001 authentication failed, 4004 unknown conversation, 1013 too many or too slow.
 * A client frame is a message (`{role, content}`): it is sent to the agent, which runs.
 */
export const eventFrame = z.union([event, transientEvent])
export type EventFrame = z.output<typeof eventFrame>

/** Frames that agent servers do not have. Who leaves them out misses nothing that is stored. */
type OwnFrame = Extract<EventFrame, { kind: 'AnswerSoFarEvent' | 'OutputDeltaEvent' | 'ModelSilenceEvent' }>

export function isOwnFrame(frame: EventFrame): frame is OwnFrame {
  return ['AnswerSoFarEvent', 'OutputDeltaEvent', 'ModelSilenceEvent'].includes(frame.kind)
}
