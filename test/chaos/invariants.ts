import { isResult } from '../../server/api/event/calls.ts'
import type { Event, EventOf } from '../../server/api/event/events.ts'

/** What is wrong with a log on which nobody works, in words; nothing when all holds. */
export function logProblems(events: readonly Event[]): string[] {
  const problems: string[] = []
  const misplaced = events.find((event, index) => event.seq !== index)
  if (misplaced) problems.push(`The log has a gap or a repetition at ${misplaced.seq}.`)
  if (new Set(events.map(({ id }) => id)).size !== events.length) problems.push('Two events have the same id.')
  for (const call of callsOf(events)) {
    const { length } = resultsOf(events, call)
    if (length !== 1) problems.push(`The call ${call.tool_name} at ${call.seq} has ${length} results.`)
  }
  return problems
}

/** Everything that was published stands in the log as it was told. */
export function lossProblems(events: readonly Event[], seen: readonly Event[]): string[] {
  const lost = seen.filter((event, index) => events[index]?.id !== event.id)
  const [first] = lost
  return first ? [`${lost.length} published events are lost, the first is ${first.kind} at ${first.seq}.`] : []
}

/**
 * Nothing was carried out twice, or without standing in the log first; and what is said to have been carried out was.
 * @param lines of the file that the commands write to
 * @param pattern of a line, in the file and in the command that writes it
 */
export function effectProblems(events: readonly Event[], lines: readonly string[], pattern: RegExp): string[] {
  const linesOf = ({ action }: EventOf<'ActionEvent'>) =>
    action?.kind === 'TerminalAction' ? [...action.command.matchAll(pattern)].map(([line]) => line) : []
  const calls = callsOf(events)
  const asked = new Set(calls.flatMap(linesOf))
  const done = calls.filter(call => resultsOf(events, call).some(succeeded)).flatMap(linesOf)
  const present = new Set(lines)
  return [
    ...lines.filter((line, index) => lines.indexOf(line) !== index).map(line => `${line} was carried out twice.`),
    ...lines.filter(line => !asked.has(line)).map(line => `${line} was carried out and does not stand in the log.`),
    ...done.filter(line => !present.has(line)).map(line => `${line} is said to have been carried out, and was not.`),
  ]
}

function callsOf(events: readonly Event[]): EventOf<'ActionEvent'>[] {
  return events.filter(event => event.kind === 'ActionEvent')
}

function resultsOf(events: readonly Event[], call: EventOf<'ActionEvent'>): Event[] {
  return events.filter(event => isResult(event) && event.tool_call_id === call.tool_call_id)
}

function succeeded(event: Event): boolean {
  if (event.kind !== 'ObservationEvent' || event.observation.kind !== 'TerminalObservation') return false
  return event.observation.exit_code === 0
}
