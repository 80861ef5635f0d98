import { readFileSync } from 'node:fs'

const TICK_MS = 5

/** The longest turn of this thread's event loop while the work goes on, in milliseconds of processor time. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  let used = processorMs()
  const tick = () => {
    longest = Math.max(longest, Math.min(performance.now() - last - TICK_MS, processorMs() - used))
    last = performance.now()
    used = processorMs()
  }
  const timer = setInterval(tick, TICK_MS)
  try {
    await work()
    tick()
    return longest
  } finally {
    clearInterval(timer)
  }
}

/** https://docs.kernel.org/scheduler/sched-stats.html */
function processorMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
}
