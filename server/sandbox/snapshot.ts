import type { ContainerState } from '../docker/engine.ts'
import { type Sandbox, sandboxOf } from './state.ts'

export type SandboxSnapshot = ReadonlyMap<string, Sandbox>

/**
 * What the service knows after the engine has listed its containers. A sandbox that is being started here, or whose start
 * failed here, has no container to be judged by; everything else is what the engine says, also that it is gone.
 */
export function afterList(snapshot: SandboxSnapshot, containers: readonly ContainerState[]): Map<string, Sandbox> {
  const next = new Map<string, Sandbox>()
  for (const [id, sandbox] of snapshot) if (isOurs(sandbox)) next.set(id, sandbox)
  for (const container of containers) {
    const sandbox = sandboxOf(container)
    if (sandbox && !next.has(sandbox.id)) next.set(sandbox.id, asBegun(sandbox, snapshot.get(sandbox.id)))
  }
  return next
}

/** The same for one container; undefined when the engine has it no more. */
export function afterInspect(known: Sandbox | undefined, container: ContainerState | undefined): Sandbox | undefined {
  if (known && isOurs(known)) return known
  const sandbox = container && sandboxOf(container)
  return sandbox && asBegun(sandbox, known)
}

/** A prepared one is older than the start that took it, and that is the time that counts. */
function asBegun(sandbox: Sandbox, known: Sandbox | undefined): Sandbox {
  return known ? { ...sandbox, createdAt: known.createdAt } : sandbox
}

/** The engine does not answer: its sandboxes are known, their state is not. */
export function afterEngineLoss(snapshot: SandboxSnapshot): Map<string, Sandbox> {
  const next = new Map<string, Sandbox>()
  for (const [id, sandbox] of snapshot)
    next.set(id, sandbox.kind === 'container' ? { ...sandbox, kind: 'unreachable' } : sandbox)
  return next
}

/** Ids whose sandbox came, went or looks different. */
export function changedIds(before: SandboxSnapshot, after: SandboxSnapshot): string[] {
  const ids = new Set([...before.keys(), ...after.keys()])
  return [...ids].filter(id => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id)))
}

function isOurs(sandbox: Sandbox): boolean {
  return sandbox.kind === 'booting' || sandbox.kind === 'failed'
}
