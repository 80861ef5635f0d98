import { leastProcessorTime } from './growth-of-time.ts'

const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({ index, text: `Event ${index}`, of: [index] })),
)
/** More than an allocator keeps for the next time: it is new memory in each round. */
const MEMORY_BYTES = 36 * 1024 * 1024
/** How much of the work that is measured is new memory, roughly. */
const MEMORY_SHARE = 1 / 2
/** What the two works below take on a quiet processor of 2023, weighted. */
const USUAL_MS = 15

/**
 * How many times slower this machine is just now than a usual one, at least 1: caches and cores are shared with what else
 * runs, and under some hypervisors each page of new memory costs tens of microseconds, so that the same work costs more
 * processor time. For limits in milliseconds.
 */
export function slowness(): number {
  const computing = leastProcessorTime(() => JSON.stringify(JSON.parse(TEXT)), 5)
  const memory = leastProcessorTime(() => Buffer.alloc(MEMORY_BYTES, 1), 2)
  return Math.max(1, (computing + memory * MEMORY_SHARE) / USUAL_MS)
}
