import { setTimeout as delay } from 'node:timers/promises'
import type { Parts } from '../parts.ts'

/** After so long a change has led to what it is to lead to: longer than the time in which the engine is left alone. */
export const SURELY_ROUND_MS = 4000

/** Ids of the sandboxes that run in the engine with their network, which they are given last, and that the service does not show. */
export async function preparedIds({ outside, sandboxes, instanceId }: Parts): Promise<string[]> {
  const filters = { label: [`dev.atelier.instance=${instanceId}`], status: ['running'] }
  const running = (await outside.listContainers({ filters }))
    .filter(({ NetworkSettings }) => 'bridge' in NetworkSettings.Networks)
    .flatMap(({ Names }) => Names.map(name => name.slice(1)))
  const shown = new Set((await sandboxes.search({ limit: 100 })).items.map(({ id }) => id))
  // What looks at the network is not a sandbox.
  return running.filter(name => !name.includes('-once-') && !shown.has(name))
}

/** Resolves with their ids when there are so many. */
export async function untilPrepared(parts: Parts, count: number): Promise<string[]> {
  for (;;) {
    const ids = await preparedIds(parts)
    if (ids.length === count) return ids
    await delay(50)
  }
}
