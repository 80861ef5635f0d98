import { z } from 'zod'
import { event, executionStatus } from './events.ts'
import { conversationStats } from './metrics.ts'
import { dateTime } from './page.ts'

/** A piece of the model's answer as it comes; the stored event follows and replaces it. */
export const streamingDeltaEvent = z.object({
  kind: z.literal('StreamingDeltaEvent'),
  id: z.string(),
  timestamp: dateTime,
  source: z.literal('agent'),
  content: z.string().optional(),
  reasoning_content: z.string().optional(),
})

/** A piece of a running command's output; the observation follows and replaces it. */
export const outputDeltaEvent = z.object({
  kind: z.literal('OutputDeltaEvent'),
  id: z.string(),
  timestamp: dateTime,
  source: z.literal('environment'),
  tool_call_id: z.string(),
  /** The last lines of the output so far, rendered as text. */
  tail: z.string(),
})

/** The model has given no sign of life for a while; comes again every 20 s, and with null when it speaks or the call ends. */
export const modelSilenceEvent = z.object({
  kind: z.literal('ModelSilenceEvent'),
  id: z.string(),
  timestamp: dateTime,
  source: z.literal('environment'),
  since: dateTime.nullable(),
})

/** The first frame of a socket, and one after each run: the whole live state of the conversation. */
export const fullStateEvent = z.object({
  kind: z.literal('ConversationStateUpdateEvent'),
  id: z.string(),
  timestamp: dateTime,
  source: z.literal('environment'),
  key: z.literal('full_state'),
  value: z.object({
    id: z.string(),
    title: z.string().nullable(),
    execution_status: executionStatus,
    stats: conversationStats,
    max_iterations: z.int(),
    max_budget_per_task: z.number().nullable(),
    /** Sequence number of the newest stored event; -1 when there is none. */
    last_seq: z.int(),
  }),
})
export type FullStateEvent = z.output<typeof fullStateEvent>

export const serverErrorEvent = z.object({
  kind: z.literal('ServerErrorEvent'),
  id: z.string(),
  timestamp: dateTime,
  source: z.literal('environment'),
  code: z.string(),
  detail: z.string(),
})

export const transientEvent = z.union([
  streamingDeltaEvent,
  outputDeltaEvent,
  modelSilenceEvent,
  fullStateEvent,
  serverErrorEvent,
])
export type TransientEvent = z.output<typeof transientEvent>

/**
 * Frames of the WebSocket `/sockets/events/{conversation_id}`: first `full_state`, then stored events from the point
 * asked for (`after_seq=N`, or `resend_mode=all`), then live ones; no gap, no duplicate. The key comes in the
 * `X-Session-API-Key` header, in the query `session_api_key`, or in a first frame `{"type":"auth","session_api_key":"…"}`
 * within 10 s. Close codes: 4001 authentication failed, 4004 unknown conversation, 1013 too many or too slow.
 * A client frame is a message (`{role, content}`): it is sent to the agent, which runs.
 */
export const eventFrame = z.union([event, transientEvent])
export type EventFrame = z.output<typeof eventFrame>
