import type { z } from 'zod'
import { actionEvent, messageEvent } from '../api/event/events.ts'
import { Slices } from '../async/slices.ts'
import { AppError } from '../domain/errors.ts'
import { isRecord } from '../domain/is-record.ts'
import { textOf } from '../event/model-messages.ts'
import type { ToolCallPart } from '../llm/completion.ts'
import { LegacyTrajectory, legacyRecorded } from './legacy-trajectory.ts'

/** A recorded conversation: what was asked, then the agent's answers in order. */
export interface Trajectory {
  initialMessage: string
  answers: RecordedAnswer[]
}

export interface RecordedAnswer {
  text: string
  toolCalls: ToolCallPart[]
}

const recordedText = messageEvent.pick({ kind: true, source: true, llm_message: true })
const recordedAction = actionEvent
  .pick({ kind: true, tool_call_id: true, tool_call: true, llm_response_id: true })
  .extend({ thought: actionEvent.shape.thought.default([]) })
type RecordedEvent = Record<string, unknown> & { kind: string }

/**
 * Reads a list of events of either generation, or an object that holds it as `trajectory` or `events`. Only the
 * user's first message and the agent's actions and messages count: everything else is made anew by the replay.
 * @throws AppError trajectory_invalid
 */
export async function parseTrajectory(text: string): Promise<Trajectory> {
  const slices = new Slices()
  // The text was written or read in this turn of the event loop.
  await slices.turn()
  const events = parseEvents(text)
  await slices.turn()
  const reader = readerOf(events)
  for (const [index, event] of events.entries()) {
    reader.add(event, index)
    if (slices.due()) await slices.turn()
  }
  return { initialMessage: firstMessage(reader), answers: [...reader.answers.values()] }
}

/** What was asked, in a list that `parseTrajectory` has read before: it looks no further. @throws AppError trajectory_invalid */
export function initialMessageOf(text: string): string {
  const events = parseEvents(text)
  const reader = readerOf(events)
  for (const [index, event] of events.entries()) {
    reader.add(event, index)
    if (reader.initialMessage !== undefined) break
  }
  return firstMessage(reader)
}

/** What comes together as the events of a list are added in their order. */
interface Reader {
  readonly initialMessage: string | undefined
  readonly answers: ReadonlyMap<string, RecordedAnswer>
  /** @throws AppError trajectory_invalid */
  add(event: unknown, index: number): void
}

function readerOf(events: readonly unknown[]): Reader {
  return events.every(isNewer) ? new NewerReader() : new LegacyReader()
}

function firstMessage({ initialMessage }: Reader): string {
  if (initialMessage === undefined) throw invalid("it must start with a user's message")
  return initialMessage
}

class NewerReader implements Reader {
  initialMessage: string | undefined
  readonly answers = new Map<string, RecordedAnswer>()

  add(event: RecordedEvent, index: number): void {
    if (event.kind === 'MessageEvent') {
      const { source, llm_message } = parsed(recordedText, event, index)
      const text = textOf(llm_message.content)
      if (source === 'user') this.initialMessage ??= text
      else if (source === 'agent') this.answers.set(`message-${index}`, { text, toolCalls: [] })
    } else if (event.kind === 'ActionEvent') {
      const { llm_response_id, thought, tool_call } = parsed(recordedAction, event, index)
      const answer = this.answers.get(llm_response_id) ?? { text: textOf(thought), toolCalls: [] }
      answer.toolCalls.push({ id: tool_call.id, name: tool_call.name, arguments: tool_call.arguments })
      this.answers.set(llm_response_id, answer)
    }
    if (this.answers.size > 0) firstMessage(this)
  }
}

class LegacyReader implements Reader {
  readonly #recorded = new LegacyTrajectory()

  get initialMessage(): string | undefined {
    return this.#recorded.initialMessage
  }

  get answers(): ReadonlyMap<string, RecordedAnswer> {
    return this.#recorded.answers
  }

  add(event: unknown, index: number): void {
    const { success, data } = legacyRecorded.safeParse(event)
    if (!success) throw invalid('it is not a list of events')
    this.#recorded.add(data, index)
  }
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

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, index: number): z.output<Schema> {
  const result = schema.safeParse(value)
  if (!result.success) throw invalid(`event ${index} does not have the expected form`)
  return result.data
}

function invalid(why: string): AppError {
  return new AppError('trajectory_invalid', `The recorded trajectory cannot be replayed: ${why}.`)
}
