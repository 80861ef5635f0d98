import { leastProcessorTime } from './growth-of-time.ts'

const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({ index, text: `Event ${index}`, of: [index] })),
)
/** What the work below takes on a quiet processor of 2023. */
const USUAL_MS = 10

/**
 * How many times slower this machine is just now than a usual one, at least 1: caches and cores are shared with what else
 * runs, so that the same work costs more processor time. For limits in milliseconds.
 */
export function slowness(): number {
  return Math.max(1, leastProcessorTime(() => JSON.stringify(JSON.parse(TEXT)), 5) / USUAL_MS)
}
