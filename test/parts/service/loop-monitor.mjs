import { readFileSync } from 'node:fs'

// Loaded into the service before it starts. Each turn of the event loop that comes late counts with the processor time
// that its thread had meanwhile, so that a busy machine is not taken for a busy loop. Any message over the process's
// channel is answered, at the end of the turn that is under way, with what was seen since the last one, in milliseconds:
// the longest first, and never none.
const TICK_MS = 5
// The main thread has the process's id. https://docs.kernel.org/scheduler/sched-stats.html
const statistics = `/proc/self/task/${process.pid}/schedstat`
/** @type {number[]} */
let blocks = []
let asked = false
let last = performance.now()
let used = processorMs()

function processorMs() {
  return Number(readFileSync(statistics, 'utf8').split(' ', 1)[0]) / 1e6
}

setInterval(() => {
  const now = performance.now()
  const usedNow = processorMs()
  blocks.push(Math.min(now - last - TICK_MS, usedNow - used))
  last = performance.now()
  used = usedNow
  if (asked) answer()
}, TICK_MS).unref()

function answer() {
  asked = false
  const seen = blocks.sort((a, b) => b - a)
  blocks = []
  process.send?.({ turns: seen.length, longest: seen.slice(0, 20) })
}

process.on('message', () => {
  asked = true
})
process.channel?.unref()
