import type { EngineConnection } from '../../docker/connection.ts'

/** Whether a pause ends the programs of a sandbox, as on a cluster, instead of freezing them; false while nobody can ask. */
export function pauseEndsPrograms(connection: Pick<EngineConnection, 'status' | 'info'>): boolean {
  return connection.status().state === 'ready' && connection.info().pauseEndsPrograms === true
}
