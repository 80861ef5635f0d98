/**
 * How many times longer the second work takes than the first, in time of the processor: the machine is shared, so what
 * else runs must not count. The best of several rounds each, after one that only warms up.
 */
export function ratioOfTimes(small: () => void, large: () => void, rounds = 3): number {
  return leastProcessorTime(large, rounds) / Math.max(leastProcessorTime(small, rounds), MIN_MS)
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

/** What takes less says nothing about how it grows. */
const MIN_MS = 3
