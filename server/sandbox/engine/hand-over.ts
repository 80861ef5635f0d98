import { messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { RemovalRecords } from '../../store/sandbox/removals.ts'
import type { EngineParts } from './parts.ts'

type Entry = Pick<EngineParts, 'id' | 'sandboxes'>

/** What is known of the sandboxes of one entry is the other's, before that one's listeners hear of their engine. */
export function handOver(
  from: Entry | undefined,
  to: Entry | undefined,
  { removals, log }: { removals: Pick<RemovalRecords, 'pass'>; log: Log },
): void {
  if (!from || !to) return
  try {
    removals.pass(from.id, to.id)
  } catch (error) {
    // The disk may be full. Until the service ends it is known, and then it is found by what the engine has.
    log.warn({ engine: to.id, error: messageOf(error) }, 'removals could not be passed to another engine')
  }
  to.sandboxes.cache.adopt(from.sandboxes.cache.list())
  from.sandboxes.cache.giveUp()
}
