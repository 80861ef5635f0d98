import { setImmediate } from 'node:timers/promises'

/** Others wait no longer than this while a long list is gone through. */
const SLICE_MS = 10

/**
 * The items that pass, looked at in slices, so that others are served in between.
 * @throws the signal's reason; items after `deadline` (as `performance.now()`) are left out
 */
export async function filterInSlices<T>(
  items: readonly T[],
  passes: (item: T) => boolean,
  { signal, deadline = Number.POSITIVE_INFINITY }: { signal: AbortSignal; deadline?: number },
): Promise<{ passed: T[]; partial: boolean }> {
  const passed: T[] = []
  let sliceEnd = performance.now() + SLICE_MS
  for (const item of items) {
    if (passes(item)) passed.push(item)
    const now = performance.now()
    if (now < sliceEnd) continue
    if (now > deadline) return { passed, partial: true }
    await setImmediate()
    signal.throwIfAborted()
    sliceEnd = performance.now() + SLICE_MS
  }
  return { passed, partial: false }
}
