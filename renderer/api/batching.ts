/** Milliseconds; two answers of the service seldom come closer together. */
const MOMENT_MS = 8

/**
 * Collects what is to be done and does it in one task a moment later: React renders once for all that one task changes, but
 * once for each of many tasks. What fails keeps nothing else from being done.
 */
export function inMoments(): (callback: () => void) => void {
  let collected: (() => void)[] = []
  const flush = () => {
    const callbacks = collected
    collected = []
    // React renders in a microtask that the first change asks for, and so after all of these.
    for (const callback of callbacks) queueMicrotask(callback)
  }
  return callback => {
    if (collected.length === 0) setTimeout(flush, MOMENT_MS)
    collected.push(callback)
  }
}
