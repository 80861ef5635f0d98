import type { Event, EventOf } from './events.ts'

export type Call = EventOf<'ActionEvent'>
export type Result = EventOf<'ObservationEvent'> | EventOf<'UserRejectObservation'> | EventOf<'AgentErrorEvent'>

export function isResult(event: Event): event is Result {
  return event.kind === 'ObservationEvent' || event.kind === 'UserRejectObservation' || event.kind === 'AgentErrorEvent'
}

/**
 * Says which call a result answers, while the events of a log pass by. A call is answered once: what comes after its first
 * result answers nothing. Errors name only the provider's id of a call, which some servers repeat: they answer the
 * newest open one.
 */
export class OpenCalls {
  readonly #open = new Map<string, Call>()
  readonly #newest = new Map<string, Link>()

  add(call: Call): void {
    this.#open.set(call.id, call)
    this.#newest.set(call.tool_call_id, { call, older: this.#newest.get(call.tool_call_id) })
  }

  /** Closes and returns the call that this answers. */
  take(result: Result): Call | undefined {
    const call =
      result.kind === 'AgentErrorEvent' ? this.#newestOpen(result.tool_call_id) : this.#open.get(result.action_id)
    if (call) this.#close(call)
    return call
  }

  /** Closes and returns the newest open call that the provider gave this id. */
  takeByProviderId(toolCallId: string): Call | undefined {
    const call = this.#newestOpen(toolCallId)
    if (call) this.#close(call)
    return call
  }

  /** Those without a result so far, in order. */
  remaining(): Call[] {
    return [...this.#open.values()]
  }

  #close(call: Call): void {
    this.#open.delete(call.id)
    const newest = this.#newest.get(call.tool_call_id)
    if (newest?.call !== call) return
    if (newest.older) this.#newest.set(call.tool_call_id, newest.older)
    else this.#newest.delete(call.tool_call_id)
  }

  #newestOpen(toolCallId: string): Call | undefined {
    let link = this.#newest.get(toolCallId)
    while (link && !this.#open.has(link.call.id)) link = link.older
    if (link) this.#newest.set(toolCallId, link)
    else this.#newest.delete(toolCallId)
    return link?.call
  }
}

/** Calls with the same id of the provider. */
interface Link {
  call: Call
  older: Link | undefined
}

/** Every result by the id of the event of its call. */
export function resultsByCall(events: Iterable<Event>): Map<string, Result> {
  const results = new Map<string, Result>()
  const open = new OpenCalls()
  for (const event of events) {
    if (event.kind === 'ActionEvent') open.add(event)
    else if (isResult(event)) {
      const call = open.take(event)
      if (call) results.set(call.id, event)
    }
  }
  return results
}
