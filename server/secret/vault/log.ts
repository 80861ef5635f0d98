import type { Log } from '../../log.ts'

/** All that this folder needs of a log. */
export type SecretLog = Pick<Log, 'info' | 'warn'>
