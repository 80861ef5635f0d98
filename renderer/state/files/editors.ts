import type { EngineEntry } from '../../../server/api/v1/system/engines.ts'

interface Place {
  /** Of the engine that the sandbox is on; undefined while it is not known. */
  engine: EngineEntry['kind'] | undefined
  /** Whether a folder of this computer is worked on. */
  isMounted: boolean
}

/** Why an editor has no address for files of the sandbox; null where it has one. */
export function whyNoAddress(
  { opensContainers }: { opensContainers: boolean },
  { engine, isMounted }: Place,
): 'onlyMounted' | 'inCluster' | 'onOtherComputer' | null {
  if (isMounted) return null
  if (!opensContainers) return 'onlyMounted'
  if (engine === 'kubernetes') return 'inCluster'
  return engine === 'host' ? 'onOtherComputer' : null
}
