import type { Event, EventOf } from '../api/events.ts'

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
  readonly #sameCallId = new Map<string, Call[]>()

  add(call: Call): void {
    this.#open.set(call.id, call)
    const same = this.#sameCallId.get(call.tool_call_id)
    if (same) same.push(call)
    else this.#sameCallId.set(call.tool_call_id, [call])
  }

  /** Closes and returns the call that this answers. */
  take(result: Result): Call | undefined {
    const call =
      result.kind === 'AgentErrorEvent' ? this.#newest(result.tool_call_id) : this.#open.get(result.action_id)
    if (call) this.#open.delete(call.id)
    return call
  }

  #newest(toolCallId: string): Call | undefined {
    const same = this.#sameCallId.get(toolCallId) ?? []
    for (let call = same.pop(); call; call = same.pop()) if (this.#open.has(call.id)) return call
    return undefined
  }
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
