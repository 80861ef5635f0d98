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
  defaultSpec: string
  /** undefined where nothing was started yet. */
  lastSpec: string | undefined
  /** How many sandboxes were started within `USE_MS`. */
  recentStarts: number
}

/**
 * From which specs sandboxes are to be prepared, one entry for each: the spec that was used last first, the default among
 * them where there is room for two. An engine with less than 2 GiB has none to spare, one with less than 8 GiB two at most.
 */
export function wantedSpecs({ limit, memoryBytes, defaultSpec, lastSpec, recentStarts }: PreparedUse): string[] {
  const room = memoryBytes < 2 * GIB ? 0 : memoryBytes < 8 * GIB ? 2 : 3
  const busy = recentStarts >= STARTS_FOR_THREE ? 3 : recentStarts >= STARTS_FOR_TWO ? 2 : 1
  const kinds = [...new Set([lastSpec ?? defaultSpec, defaultSpec])]
  const size = Math.min(limit, room, Math.max(busy, kinds.length))
  const [most = defaultSpec] = kinds
  return [...kinds.slice(0, size), ...Array<string>(Math.max(0, size - kinds.length)).fill(most)]
}
