import { type Bound, KIB } from './bound.ts'

/** On the log of the service as it is shown. */
export const LOG_BOUNDS = {
  logPiece: {
    limit: 256 * KIB,
    unit: 'bytes',
    of: 'piece of the log that is read at once',
    beyond: 'Another request reads the piece before it.',
  },
  logLine: {
    limit: 4_000,
    unit: 'characters',
    of: 'message of a line of the log, and its further fields, as they are shown',
    beyond: 'The end is left out.',
  },
} as const satisfies Record<string, Bound>
