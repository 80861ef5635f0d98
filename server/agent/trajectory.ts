import type { z } from 'zod'
import { actionEvent, messageEvent } from '../api/event/events.ts'
import { AppError } from '../domain/errors.ts'
import { isRecord } from '../domain/is-record.ts'
import { textOf } from '../event/model-messages.ts'
import type { ToolCallPart } from '../llm/completion.ts'
import { type LegacyRecorded, legacyRecorded, readLegacyTrajectory } from './legacy-trajectory.ts'

/** A recorded conversation: what was asked, then the agent's answers in order. */
export interface Trajectory {
  initialMessage: string
  answers: RecordedAnswer[]
}

export interface RecordedAnswer {
  text: string
  toolCalls: ToolCallPart[]
}

const recordedMessage = messageEvent.pick({ kind: true, source: true, llm_message: true })
const recordedAction = actionEvent
  .pick({ kind: true, tool_call_id: true, tool_call: true, llm_response_id: true })
  .extend({ thought: actionEvent.shape.thought.default([]) })
type RecordedEvent = Record<string, unknown> & { kind: string }

/**
 * Reads a list of events of either generation, or an object that holds it as `trajectory` or `events`. Only the
 * user's first message and the agent's actions and messages count: everything else is made anew by the replay.
 * @throws AppError trajectory_invalid
 */
export function parseTrajectory(text: string): Trajectory {
  const found = parseEvents(text)
  if (found.every(isNewer)) return fromEvents(found)
  const { initialMessage, answers } = readLegacyTrajectory(found.map(toLegacy))
  if (initialMessage === undefined) throw invalid("it must start with a user's message")
  return { initialMessage, answers }
}

function fromEvents(events: readonly RecordedEvent[]): Trajectory {
  const answers = new Map<string, RecordedAnswer>()
  let initialMessage: string | undefined
  for (const [index, found] of events.entries()) {
    if (found.kind === 'MessageEvent') {
      const { source, llm_message } = parsed(recordedMessage, found, index)
      if (source === 'user') initialMessage ??= textOf(llm_message.content)
      else if (source === 'agent') answers.set(`message-${index}`, { text: textOf(llm_message.content), toolCalls: [] })
    } else if (found.kind === 'ActionEvent') {
      const { llm_response_id, thought, tool_call } = parsed(recordedAction, found, index)
      const answer = answers.get(llm_response_id) ?? { text: textOf(thought), toolCalls: [] }
      answer.toolCalls.push({ id: tool_call.id, name: tool_call.name, arguments: tool_call.arguments })
      answers.set(llm_response_id, answer)
    }
    if (initialMessage === undefined && answers.size > 0) throw invalid("it must start with a user's message")
  }
  if (initialMessage === undefined) throw invalid("it must start with a user's message")
  return { initialMessage, answers: [...answers.values()] }
}

function parseEvents(text: string): unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('it is not JSON')
  }
  const events = Array.isArray(value) ? value : isRecord(value) && (value.trajectory ?? value.events)
  if (!Array.isArray(events)) throw invalid('it is not a list of events')
  return events
}

function isNewer(event: unknown): event is RecordedEvent {
  return isRecord(event) && typeof event.kind === 'string'
}

/** The first that is none ends it: a schema of them all would look at the others too, and tell of each. */
function toLegacy(event: unknown): LegacyRecorded {
  const result = legacyRecorded.safeParse(event)
  if (!result.success) throw invalid('it is not a list of events')
  return result.data
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, index: number): z.output<Schema> {
  const result = schema.safeParse(value)
  if (!result.success) throw invalid(`event ${index} does not have the expected form`)
  return result.data
}

function invalid(why: string): AppError {
  return new AppError('trajectory_invalid', `The recorded trajectory cannot be replayed: ${why}.`)
}
