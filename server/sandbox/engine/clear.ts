import { settledWithin } from '../../async/settled-within.ts'
import type { Engine, EngineObject } from '../../docker/engine.ts'
import { AppError } from '../../domain/errors.ts'

/** Never rejects. @returns why something may be left after so many milliseconds; null when nothing is */
export async function problemOfClearing(milliseconds: number, clearing: Promise<void>): Promise<unknown> {
  let problem: unknown = new AppError('engine_unavailable', 'It did not answer in time.')
  const ended = clearing.then(
    () => {
      problem = null
    },
    error => {
      problem = error
    },
  )
  await settledWithin(milliseconds, ended)
  return problem
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
