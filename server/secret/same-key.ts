import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares keys in a time that says nothing of where they differ. */
export function isSameKey(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
