const GIB = 1024 ** 3
/** A start counts as use for so long, in milliseconds. */
export const USE_MS = 10 * 60_000
/** With so many starts within that time two are wanted, and three. */
const STARTS_FOR_TWO = 2
const STARTS_FOR_THREE = 5

export interface PreparedUse {
  /** At most so many; 0 for none. */
  limit: number
  /** Of the engine. */
  memoryBytes: number
  /** How many sandboxes were started within `USE_MS`. */
  recentStarts: number
}

/**
 * What is to be prepared, an entry for each sandbox: one of each kind, and more of the first one when it is used much. An
 * engine with less than 2 GiB of memory has none to spare, one with less than 8 GiB two at most.
 * @param kinds the one that was used last first, without repeats
 */
export function wanted<Kind>(kinds: readonly Kind[], { limit, memoryBytes, recentStarts }: PreparedUse): Kind[] {
  const room = memoryBytes < 2 * GIB ? 0 : memoryBytes < 8 * GIB ? 2 : 3
  const busy = recentStarts >= STARTS_FOR_THREE ? 3 : recentStarts >= STARTS_FOR_TWO ? 2 : 1
  const size = Math.min(limit, room, Math.max(busy, kinds.length))
  return Array.from({ length: size }, (_, index) => kinds[index] ?? kinds[0]).filter(kind => kind !== undefined)
}
