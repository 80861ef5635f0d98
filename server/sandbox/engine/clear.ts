import { settledWithin } from '../../async/settled-within.ts'
import type { Engine, EngineObject } from '../../docker/engine.ts'
import { messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'

/** What is left on an engine after that stays there. */
const CLEAR_MS = 20_000

/** Removes what is there of this Atelier besides sandboxes. Never rejects. @returns whether nothing is left */
export async function clearInTime(parts: { id: string; clear(): Promise<void> }, log: Log): Promise<boolean> {
  let isCleared = false
  const clearing = parts
    .clear()
    .then(() => {
      isCleared = true
    })
    .catch(error => log.warn({ engine: parts.id, error: messageOf(error) }, 'an engine could not be cleared'))
  await settledWithin(CLEAR_MS, clearing)
  return isCleared
}

/** Removes everything with these labels from an engine. @throws AppError engine_unavailable, engine_failed where something stays */
export async function removeObjects(
  engine: Pick<Engine, 'listObjects' | 'removeObject'>,
  labels: Record<string, string>,
): Promise<void> {
  const objects = await engine.listObjects(labels)
  for (const kind of ['container', 'network', 'volume', 'image'] as const) {
    await removeInRounds(
      engine,
      objects.filter(object => object.kind === kind),
    )
  }
}

/** An image that another one is made of goes after that one. */
async function removeInRounds(engine: Pick<Engine, 'removeObject'>, objects: readonly EngineObject[]): Promise<void> {
  for (let left = objects; left.length > 0; ) {
    const removals = await Promise.allSettled(left.map(object => engine.removeObject(object)))
    const kept = left.filter((_, index) => removals[index]?.status === 'rejected')
    if (kept.length === left.length) throw removals.find(each => each.status === 'rejected')?.reason
    left = kept
  }
}
