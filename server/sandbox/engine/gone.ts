import type { Bus } from '../../bus.ts'

export interface SandboxesToFollow {
  bus: Pick<Bus, 'subscribe'>
  /** In the order of the ids; null for a sandbox that is gone. */
  batch: (ids: readonly string[]) => Promise<readonly unknown[]>
}

/**
 * What is known of a sandbox beside its engine is forgotten with it.
 * @param forget called for each one that is gone, also where nothing is known of it; must not throw
 * @returns ends it
 */
export function onSandboxGone({ bus, batch }: SandboxesToFollow, forget: (sandboxId: string) => void): () => void {
  const look = async (id: string) => {
    const [found] = await batch([id])
    if (found === null) forget(id)
  }
  return bus.subscribe(change => {
    // Of an engine that does not answer, nobody knows: it tells when it is back.
    if (change.resource === 'sandbox') void look(change.id).catch(() => {})
  })
}
