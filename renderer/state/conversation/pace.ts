import type { Input } from './conversation.ts'

/** Each change of what is shown is laid out and painted. */
const MIN_PAUSE_MS = 50
const MAX_PAUSE_MS = 250
/** A text that is longer by so many characters is shown one millisecond less often. */
const CHARACTERS_FOR_MS = 20

/**
 * Milliseconds between two changes of what is shown. A long text that grows costs more with each of them, and comes faster
 * than it is read; whatever else happens is shown at once.
 * @param shown characters of the text that grows
 */
export function pauseBefore(input: Input, shown: number): number {
  const isText = input.kind === 'frame' && input.frame.kind === 'StreamingDeltaEvent'
  return isText ? Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS + shown / CHARACTERS_FOR_MS) : MIN_PAUSE_MS
}
