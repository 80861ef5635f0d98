import { type Bound, KIB, MIB } from './bound.ts'

/** On logs: that of the service as it is shown, and those of sandboxes. */
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
  sandboxLog: {
    limit: 4 * MIB,
    unit: 'bytes',
    of: 'log of what the command of a sandbox prints, which the engine keeps',
    beyond: 'The oldest lines go.',
  },
  containerLogShown: {
    limit: 512 * KIB,
    unit: 'characters',
    of: 'end of the log of a sandbox or a service that is shown',
    beyond: 'Lines before it are left out.',
  },
} as const satisfies Record<string, Bound>
