/** Milliseconds; two answers of the service seldom come closer together. */
const BATCH_MS = 8

/**
 * Collects callbacks and runs them in one task shortly afterwards: React renders once for all that one task changes, but once
 * for each of many tasks. A callback that throws keeps no other from running.
 */
export function batchInOneTask(): (callback: () => void) => void {
  let collected: (() => void)[] = []
  const flush = () => {
    const callbacks = collected
    collected = []
    // React renders in a microtask that the first change asks for, and so after all of these.
    for (const callback of callbacks) queueMicrotask(callback)
  }
  return callback => {
    if (collected.length === 0) setTimeout(flush, BATCH_MS)
    collected.push(callback)
  }
}
