import type { Removable } from '../../api/v1/sandbox/removable.ts'
import { LABEL } from '../../docker/container/labels.ts'
import type { EngineUsage } from '../../docker/usage.ts'
import type { SandboxConversation } from '../../store/sandbox/conversations.ts'
import { isDevContainerImage } from '../build/image-names.ts'
import type { Sandbox } from '../state.ts'
import { isOfBundled, type KnownImages, unusedImages } from '../unused-images.ts'
import { sandboxSizes } from './sizes.ts'

export interface CandidateFacts {
  usage: EngineUsage
  /** All that there are. */
  sandboxes: readonly Sandbox[]
  /** Whether it neither runs nor is used. */
  isAtRest(sandbox: Sandbox): boolean
  conversationsIn(sandboxId: string): SandboxConversation[]
  images: KnownImages
  /** Whether what builds of this spec have left is of use to one under way. */
  isBuilding(specId: string): boolean
}

/** What can go of what there is, the largest first. A pure function: asked again before anything goes. */
export function candidates(facts: CandidateFacts): Removable[] {
  const found = [...sandboxesAtRest(facts), ...images(facts), ...buildLayers(facts), ...volumes(facts)]
  return found.sort((one, other) => other.bytes - one.bytes || one.id.localeCompare(other.id))
}

function sandboxesAtRest({ usage, sandboxes, isAtRest, conversationsIn }: CandidateFacts): Removable[] {
  const sizes = sandboxSizes(usage)
  return sandboxes.filter(isAtRest).map(({ id, createdAt }) => {
    const conversations = conversationsIn(id)
    return {
      kind: 'sandbox',
      id,
      name: id,
      bytes: sizes.get(id) ?? 0,
      since: conversations[0]?.updatedAt ?? createdAt,
      reason: conversations.length === 0 ? 'no_conversation' : 'not_running',
      // What runs can be asked, what is paused cannot: nobody says here that all of it was pushed.
      may_hold_work: true,
      conversations: conversations.map(({ id, title, archived }) => ({ id, title, archived })),
    }
  })
}

function images({ usage, images: known }: CandidateFacts): Removable[] {
  return unusedImages(known, usage.images).map(({ id, names, bytes, createdAt }) => {
    const [name = id] = names
    const reason = isDevContainerImage(name)
      ? 'dev_container'
      : isOfBundled(known, name)
        ? 'earlier_version'
        : 'other_spec'
    return { ...AGAIN, kind: 'image', id, name, bytes, since: createdAt, reason }
  })
}

function buildLayers({ usage, images: { instanceId }, isBuilding }: CandidateFacts): Removable[] {
  const left = usage.images.filter(({ names, labels, isUsed }) => {
    const specId = labels[LABEL.specImage]
    const isOwn = labels[LABEL.instance] === instanceId && specId !== undefined && specId !== ''
    return isOwn && names.length === 0 && !isUsed && !isBuilding(specId)
  })
  return left.map(({ id, bytes, createdAt }) => ({
    ...AGAIN,
    kind: 'build_layers',
    id,
    name: id.replace(/^sha256:/, '').slice(0, 12),
    bytes,
    since: createdAt,
    reason: 'unfinished_build',
  }))
}

function volumes({ usage, sandboxes }: CandidateFacts): Removable[] {
  const ids = new Set(sandboxes.map(({ id }) => id))
  return usage.volumes.flatMap(({ name, labels, bytes, createdAt, isUsed }): Removable[] => {
    const owner = labels[LABEL.sandbox]
    const known = { id: name, bytes, since: createdAt }
    if (isUsed) return []
    if (labels[LABEL.cache] !== undefined) return [{ ...AGAIN, ...known, kind: 'cache', name, reason: 'no_sandbox' }]
    // That of a sandbox which is gone goes by itself.
    if (!owner || !ids.has(owner)) return []
    const own = { name: name.replace(`${owner}-`, ''), may_hold_work: true, conversations: [] }
    return [{ ...known, ...own, kind: 'service_volume', reason: 'no_service' }]
  })
}

const AGAIN = { may_hold_work: false, conversations: [] }
