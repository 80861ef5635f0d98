import { copyOf, LABEL, SERVICE_IMAGES } from '../../docker/container/labels.ts'
import type { EngineObject, EngineObjectKind } from '../../docker/engine.ts'

/**
 * Why a sandbox is to go. `deleted`: somebody said so, whatever works in it. `abandoned`: whoever made it has not kept it,
 * or needs it no more; it stays for as long as a conversation works in it.
 */
export type RemovalReason = 'deleted' | 'abandoned'

/** What there is to be in the engine. */
export interface DesiredState {
  /** Whose objects these are: another's are never touched. */
  instanceId: string
  removals: {
    /** Of a removal that was begun, whichever engine it was begun on. */
    get(sandboxId: string): RemovalReason | undefined
    /** Those that are this engine's to end. */
    keys(): Iterable<string>
  }
  /** Whether a conversation works in it. */
  isUsed(sandboxId: string): boolean
  /** Whether it is being started, or held for something under way. */
  isHeld(sandboxId: string): boolean
}

export type Step =
  | { kind: 'remove'; object: EngineObject; sandboxId: string }
  /** The removal has come to its end, or has become needless. */
  | { kind: 'forget'; sandboxId: string }

/** What holds others goes first. */
const ORDER: readonly EngineObjectKind[] = ['container', 'network', 'volume', 'image']

/**
 * What is to be done so that the engine has what is wanted.
 *
 * INVARIANTS: an object of another instance, or of no sandbox, is never removed; nothing of a sandbox that is held, or in
 * which a conversation works, is removed unless somebody deleted it; carrying the steps out leaves nothing to do, but for
 * images on which others are made: they follow those.
 */
export function reconcile(wanted: DesiredState, objects: readonly EngineObject[]): Step[] {
  const sandboxes = new Map<string, EngineObject[]>()
  for (const object of objects) {
    const id = sandboxOf(object, wanted.instanceId)
    if (id !== undefined) sandboxes.set(id, [...(sandboxes.get(id) ?? []), object])
  }
  const removals = [...sandboxes]
    .filter(([id, parts]) => isDoomed(id, wanted) || isLeftover(id, parts, wanted))
    .flatMap(([sandboxId, parts]) => parts.map(object => ({ kind: 'remove', object, sandboxId }) as const))
    .filter(({ object }) => !objects.some(({ parent }) => parent === object.id))
    .sort((one, other) => ORDER.indexOf(one.object.kind) - ORDER.indexOf(other.object.kind))
  const forgotten = [...wanted.removals.keys()]
    .filter(id => !wanted.isHeld(id) && (!sandboxes.has(id) || !isDoomed(id, wanted)))
    .map(sandboxId => ({ kind: 'forget', sandboxId }) as const)
  return [...removals, ...forgotten]
}

/** Whether a removal that was begun is to be carried out. */
export function isDoomed(id: string, { removals, isHeld, isUsed }: Omit<DesiredState, 'instanceId'>): boolean {
  const reason = removals.get(id)
  if (reason === undefined) return false
  return reason === 'deleted' || !(isHeld(id) || isUsed(id))
}

/**
 * A container that never ran, since whoever made it died before; other parts of a sandbox whose container is gone, its
 * services too; or a one-shot container that nobody waits for any more.
 */
function isLeftover(id: string, parts: readonly EngineObject[], { isHeld, isUsed }: DesiredState): boolean {
  if (isHeld(id) || isUsed(id)) return false
  const container = parts.find(({ kind, labels }) => kind === 'container' && !labels[LABEL.sandbox])
  return container === undefined || container.status === 'created'
}

/** Of which sandboxes the engine has something. */
export function sandboxesOf(objects: readonly EngineObject[], instanceId: string): Set<string> {
  return new Set(objects.flatMap(object => sandboxOf(object, instanceId) ?? []))
}

/** undefined for what is not of this instance, or of no sandbox. A sandbox's own container has its id as its name. */
function sandboxOf({ kind, name, labels }: EngineObject, instanceId: string): string | undefined {
  if (labels[LABEL.instance] !== instanceId) return undefined
  // It runs a step of a build, and is the engine's.
  if (kind === 'container' && labels[LABEL.specImage] && !labels[LABEL.spec]) return labels[LABEL.sandbox] || undefined
  if (kind === 'container') return labels[LABEL.sandbox] || name
  if (kind === 'image' && labels[LABEL.specImage] === SERVICE_IMAGES) return labels[LABEL.sandbox] || undefined
  // It belongs to a spec, and not to a sandbox.
  if (kind === 'image' && labels[LABEL.specImage]) return undefined
  // An engine may make an image without the labels that are asked for; then its name says it.
  return kind === 'image' ? labels[LABEL.imageOf] || copyOf(name) : labels[LABEL.sandbox]
}
