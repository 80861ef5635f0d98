import { stripVTControlCharacters } from 'node:util'
import type { Engine } from '../../docker/engine.ts'
import { BOUNDS } from '../../domain/bounds.ts'

/** The end of what a container printed, as a person reads it; null where the engine keeps no log of it. */
export async function shownLog(
  engine: Pick<Engine, 'containerLog'>,
  containerId: string,
  lines: number,
): Promise<string | null> {
  const text = await engine.containerLog(containerId, { lines, maxCharacters: BOUNDS.containerLogShown.limit })
  return text === null ? null : stripVTControlCharacters(text)
}
