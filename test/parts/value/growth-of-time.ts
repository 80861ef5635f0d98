/**
 * How the time of a work grows with the size of what it works on: 1 where it is in proportion, 2 where it is in proportion to
 * the square. Told from two sizes, the given one and a sixteenth of it: a machine that makes the larger one eight times slower
 * than it should be, since memory is collected or caches are shared, adds 0.75.
 * @param work makes the work of a size; what it does before it returns is not counted
 */
export function growthOfTime(work: (size: number) => () => void, size: number): number {
  const large = leastProcessorTime(work(size), ROUNDS)
  const small = Math.max(leastProcessorTime(work(size / 16), ROUNDS), MIN_MS)
  return Math.log(large / small) / Math.log(16)
}

/** In milliseconds. */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** In milliseconds, of several rounds after one that only warms up: a busy machine makes single ones longer, never shorter. */
export function leastProcessorTime(work: () => void, rounds = 3): number {
  work()
  return Math.min(...Array.from({ length: rounds }, () => processorTime(work)))
}

/** Enough that one of them is not held up by whatever else the machine does. */
const ROUNDS = 6

/** What takes less says nothing about how it grows. */
const MIN_MS = 0.5
