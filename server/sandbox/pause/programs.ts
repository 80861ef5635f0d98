import type { EngineConnection } from '../../docker/connection.ts'
import type { ContainerState } from '../../docker/engine.ts'

/** Whether a pause ends the programs of a sandbox, as on a cluster, instead of freezing them; false while nobody can ask. */
export function pauseEndsPrograms(connection: Pick<EngineConnection, 'status' | 'info'>): boolean {
  return connection.status().state === 'ready' && connection.info().pauseEndsPrograms === true
}

/** What a pause would end is a person's to end, unless its spec says otherwise. */
export function pausesByItself(
  { pausesWhenIdle = false }: Pick<ContainerState, 'pausesWhenIdle'>,
  connection: Pick<EngineConnection, 'status' | 'info'>,
): boolean {
  return pausesWhenIdle || !pauseEndsPrograms(connection)
}
