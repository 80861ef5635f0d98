import type { Removable, RemovalOutcome } from '../../api/v1/sandbox/removable.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { instanceLabels } from '../../docker/container/labels.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { SandboxConversations } from '../../store/sandbox/conversations.ts'
import type { SpecImages } from '../build/spec-images.ts'
import type { EngineSandboxes } from '../engine/sandboxes.ts'
import type { SandboxImages } from '../image.ts'
import type { SandboxSpecs } from '../specs.ts'
import { type Sandbox, statusOf } from '../state.ts'
import { candidates } from './candidates.ts'

export interface RemovableStorageOptions {
  connection: Pick<EngineConnection, 'engine'>
  sandboxes: Pick<EngineSandboxes, 'delete'> & {
    cache: Pick<EngineSandboxes['cache'], 'list' | 'ready'>
    idle: Pick<EngineSandboxes['idle'], 'isInUse'>
  }
  images: Pick<SandboxImages, 'reference'>
  specs: Pick<SandboxSpecs, 'images'>
  specImages: Pick<SpecImages, 'isNeeded'>
  conversations: Pick<SandboxConversations, 'of'>
  instanceId: string
}

type Wanted = Pick<Removable, 'kind' | 'id'>

const IN_USE = 'It is in use again.'

/**
 * What can go from the engine's disk, one by one, and its removal.
 *
 * INVARIANT: nothing that is in use goes, whatever was listed before: each is judged anew in the moment of its removal, and the
 * engine itself refuses what a container has.
 */
export class RemovableStorage {
  readonly #options: RemovableStorageOptions

  constructor(options: RemovableStorageOptions) {
    this.#options = options
  }

  /** The largest first. @throws AppError engine_unavailable */
  async list(signal?: AbortSignal): Promise<Removable[]> {
    return (await this.#look({ signal })).found
  }

  /** In the order asked for. After an abort nothing else goes. @throws AppError engine_unavailable */
  async remove(wanted: readonly Wanted[], signal?: AbortSignal): Promise<RemovalOutcome[]> {
    const outcomes: RemovalOutcome[] = []
    for (const { kind, id } of wanted) {
      signal?.throwIfAborted()
      const problem = await this.#remove({ kind, id }).catch(error => {
        if (isAppError(error, 'engine_unavailable')) throw error
        return messageOf(error)
      })
      const state = problem === null ? 'removed' : problem === GONE ? 'gone' : 'kept'
      outcomes.push({ kind, id, state, problem: state === 'kept' ? String(problem) : null })
    }
    return outcomes
  }

  /** @returns why it was not removed; null when it was */
  async #remove(wanted: Wanted): Promise<string | typeof GONE | null> {
    if (wanted.kind === 'sandbox') return this.#removeSandbox(wanted.id)
    const engine = this.#options.connection.engine()
    const before = await this.#look({ isMeasured: false })
    if (!before.isThere(wanted)) return GONE
    if (!before.found.some(each => isSame(each, wanted))) return IN_USE
    if (wanted.kind === 'image') for (const name of before.namesOf(wanted)) await engine.removeImage(name)
    else if (wanted.kind === 'build_layers') await engine.removeImage(wanted.id)
    else await engine.removeObject({ kind: 'volume', id: wanted.id })
    return (await this.#look({ isMeasured: false })).isThere(wanted) ? IN_USE : null
  }

  async #removeSandbox(id: string): Promise<string | typeof GONE | null> {
    const { sandboxes } = this.#options
    await sandboxes.cache.ready()
    const sandbox = sandboxes.cache.list().find(each => each.id === id)
    if (!sandbox) return GONE
    if (!this.#isAtRest(sandbox)) return IN_USE
    await sandboxes.delete(id)
    return null
  }

  async #look({ signal, isMeasured = true }: { signal?: AbortSignal | undefined; isMeasured?: boolean }) {
    const { connection, sandboxes, images, specs, specImages, conversations, instanceId } = this.#options
    const usage = await connection.engine().diskUsage(instanceLabels(instanceId), { signal, isMeasured })
    const known = { bundled: images.reference, ofSpecs: await specs.images(), instanceId }
    await sandboxes.cache.ready()
    const found = candidates({
      usage,
      sandboxes: sandboxes.cache.list(),
      isAtRest: sandbox => this.#isAtRest(sandbox),
      conversationsIn: id => conversations.of(id),
      images: known,
      isBuilding: specId => specImages.isNeeded(specId),
    })
    const ids = new Set([...usage.images.map(({ id }) => id), ...usage.volumes.map(({ name }) => name)])
    const namesOf = ({ id }: Wanted) => usage.images.find(each => each.id === id)?.names ?? []
    return { found, namesOf, isThere: ({ id }: Wanted) => ids.has(id) }
  }

  /** One that was paused for want of use is at rest, too: nothing needs it now. */
  #isAtRest(sandbox: Sandbox): boolean {
    const status = statusOf(sandbox)
    if (sandbox.kind === 'unreachable' || (status !== 'PAUSED' && status !== 'ERROR')) return false
    return !this.#options.sandboxes.idle.isInUse(sandbox.id)
  }
}

const GONE = Symbol('gone')

function isSame(one: Wanted, other: Wanted): boolean {
  return one.kind === other.kind && one.id === other.id
}
