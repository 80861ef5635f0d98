import type { EventOf } from '../../../server/api/event/events.ts'
import type { Item } from './item.ts'

/** The calls that no result answers yet, in order: while the conversation waits for a word, what it waits for. */
export function waitingCalls(items: readonly Item[]): EventOf<'ActionEvent'>[] {
  return items.flatMap(item =>
    item.kind === 'action' && (item.outcome.state === 'running' || item.outcome.state === 'queued') ? [item.event] : [],
  )
}
