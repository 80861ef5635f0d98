import type { AnswerSoFarEvent, TransientEvent } from '../api/event/frames.ts'
import { newEventId } from '../domain/ids.ts'

export function streamingDelta({ text, reasoning }: { text?: string; reasoning?: string }): TransientEvent {
  return {
    kind: 'StreamingDeltaEvent',
    ...stamp(),
    source: 'agent',
    ...(text && { content: text }),
    ...(reasoning && { reasoning_content: reasoning }),
  }
}

/** Nothing in it: what has come is void. */
export function answerSoFar({ text, reasoning }: { text: string; reasoning: string }): AnswerSoFarEvent {
  return { kind: 'AnswerSoFarEvent', ...stamp(), source: 'agent', content: text, reasoning_content: reasoning }
}

export function outputDelta(toolCallId: string, tail: string): TransientEvent {
  return { kind: 'OutputDeltaEvent', ...stamp(), source: 'environment', tool_call_id: toolCallId, tail }
}

export function modelSilence(silence: { since: number } | null): TransientEvent {
  return {
    kind: 'ModelSilenceEvent',
    ...stamp(),
    source: 'environment',
    since: silence && new Date(silence.since).toISOString(),
  }
}

function stamp() {
  return { id: newEventId(), timestamp: new Date().toISOString() }
}
