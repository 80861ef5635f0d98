import { expect } from 'vitest'
import { searchConversationEvents } from '../../server/api/event-routes.ts'
import type { Event, EventOf } from '../../server/api/events.ts'
import { isResult } from '../../server/event/calls.ts'
import type { Headless } from '../parts/headless.ts'
import { LINE } from './agent.ts'

/** The whole log, page after page. */
export async function readLog(service: Headless, id: string): Promise<Event[]> {
  const events: Event[] = []
  let page: string | null = null
  do {
    const found: { items: Event[]; next_page_id: string | null } = await service.client.call(searchConversationEvents, {
      params: { conversation_id: id },
      query: { limit: 100, page_id: page },
    })
    events.push(...found.items)
    page = found.next_page_id
  } while (page !== null)
  return events
}

/** What holds for a log on which nobody works, however its service died. */
export function expectWhole(events: readonly Event[]): void {
  expect(events.map(event => event.seq)).toEqual([...events.keys()])
  expect(new Set(events.map(event => event.id)).size).toBe(events.length)
  for (const call of callsOf(events)) expect(resultsOf(events, call), `results of ${call.tool_call_id}`).toHaveLength(1)
}

/**
 * Nothing was carried out twice, or without standing in the log first; and what is said to have been carried out was.
 * @param lines of the file that the commands write to
 */
export function expectCarriedOutOnce(events: readonly Event[], lines: readonly string[]): void {
  expect(new Set(lines).size, `a line stands twice: ${lines.join(' ')}`).toBe(lines.length)
  const asked = new Set(callsOf(events).flatMap(linesOf))
  expect(lines.filter(line => !asked.has(line))).toEqual([])
  const done = callsOf(events).filter(call => resultsOf(events, call).some(succeeded))
  expect(done.flatMap(linesOf).filter(line => !lines.includes(line))).toEqual([])
}

function callsOf(events: readonly Event[]): EventOf<'ActionEvent'>[] {
  return events.filter(event => event.kind === 'ActionEvent')
}

function resultsOf(events: readonly Event[], call: EventOf<'ActionEvent'>): Event[] {
  return events.filter(event => isResult(event) && event.tool_call_id === call.tool_call_id)
}

function linesOf({ action }: EventOf<'ActionEvent'>): string[] {
  return action?.kind === 'TerminalAction' ? [...action.command.matchAll(LINE)].map(([line]) => line) : []
}

function succeeded(event: Event): boolean {
  if (event.kind !== 'ObservationEvent' || event.observation.kind !== 'TerminalObservation') return false
  return event.observation.exit_code === 0
}
