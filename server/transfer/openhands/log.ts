import { type Call, isResult, OpenCalls } from '../../api/event/calls.ts'
import type { Event, NewEvent } from '../../api/event/events.ts'
import type { GivenEvent } from '../import/pieces.ts'
import { stableHex } from './values.ts'

/** What went wrong in another program is of no kind that is known here. */
export const UNCLASSIFIED = { kind: 'unknown', retryable: false, user_action: 'none' } as const

const ID = /^[\w-]{1,100}$/

/** An event without what its place in the log gives it. */
export type Draft = NewEvent & { id?: string | undefined; timestamp?: string | undefined }

/**
 * The log of one conversation as it is made anew: ids are given once, always the same for the same log, and every call has a
 * result in the end, since one without would be carried out.
 */
export class TranslatedLog {
  readonly #conversation: string
  readonly #calls = new OpenCalls()
  /** Ids of the calls without a result, by which they are asked for often. */
  readonly #open = new Set<string>()
  readonly #used = new Set<string>()
  #seq = 0
  #timestamp: string
  #made: GivenEvent[] = []

  /** @param beginning the time of what has none */
  constructor(conversation: string, beginning: string) {
    this.#conversation = conversation
    this.#timestamp = beginning
  }

  /** @returns the event as it is in the log now */
  add({ id, timestamp, ...draft }: Draft): Event {
    if (timestamp !== undefined) this.#timestamp = timestamp
    // What a log adds to a new event.
    const event = { ...draft, id: this.#idFor(id), seq: this.#seq, timestamp: this.#timestamp } as Event
    this.#seq++
    this.#made.push({ ...event })
    if (event.kind === 'ActionEvent') {
      this.#calls.add(event)
      this.#open.add(event.id)
    } else if (isResult(event)) {
      const call = this.#calls.take(event)
      if (call) this.#open.delete(call.id)
    }
    return event
  }

  /** What cannot be understood is a line of its own, so that nothing is missing without a word. */
  addNotice(detail: string, timestamp?: string): void {
    const said = { code: NOTICE, detail, classification: UNCLASSIFIED }
    this.add({ kind: 'ConversationErrorEvent', source: 'environment', ...said, timestamp })
  }

  /** Whether a result may still follow it. */
  isOpen(call: Pick<Call, 'id'>): boolean {
    return this.#open.has(call.id)
  }

  /** @returns what was made since */
  take(): GivenEvent[] {
    const made = this.#made
    this.#made = []
    return made
  }

  end(): GivenEvent[] {
    for (const { tool_name, tool_call_id } of this.#calls.remaining()) {
      const error = 'No result of this call was recorded. It may have been carried out: check before trying again.'
      this.add({ kind: 'AgentErrorEvent', source: 'agent', tool_name, tool_call_id, error })
    }
    return this.take()
  }

  #idFor(wanted: string | undefined): string {
    const isFree = wanted !== undefined && ID.test(wanted) && !this.#used.has(wanted)
    const id = isFree ? wanted : dashed(stableHex(this.#conversation, this.#seq))
    this.#used.add(id)
    return id
  }
}

const NOTICE = 'event_unknown'

function dashed(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
