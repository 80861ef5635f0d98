import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createHistogram } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into the service before it starts. Each second it writes to the file ATELIER_TEST_PROBE what only the process
// itself can tell. Times in milliseconds, sizes in bytes.
const file = process.env.ATELIER_TEST_PROBE
const EVERY_MS = 1000
const TICK_MS = 10
const SCHEDULE = `/proc/self/task/${process.pid}/schedstat`

/** Milliseconds for which the main thread wanted a processor and had none: what a busy machine adds to every delay. */
function waited() {
  return existsSync(SCHEDULE) ? Number(readFileSync(SCHEDULE, 'utf8').split(' ')[1]) / 1e6 : 0
}

if (file && isMainThread && process.argv[1]?.endsWith('server/main.js')) {
  const delay = createHistogram()
  let last = { at: performance.now(), waited: waited() }
  setInterval(() => {
    const now = { at: performance.now(), waited: waited() }
    const late = now.at - last.at - TICK_MS - (now.waited - last.waited)
    delay.record(Math.max(1, Math.round(late * 1e6)))
    last = now
  }, TICK_MS).unref()
  setInterval(() => {
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
    const milliseconds = (/** @type {number} */ nanoseconds) => nanoseconds / 1e6
    const sample = {
      at: Date.now(),
      rss,
      heapUsed,
      external: external + arrayBuffers,
      descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : null,
      delay: {
        p50: milliseconds(delay.percentile(50)),
        p99: milliseconds(delay.percentile(99)),
        p999: milliseconds(delay.percentile(99.9)),
        max: milliseconds(delay.max),
      },
    }
    writeFileSync(`${file}.next`, JSON.stringify(sample))
    renameSync(`${file}.next`, file)
  }, EVERY_MS).unref()
}
