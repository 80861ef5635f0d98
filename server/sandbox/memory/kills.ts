import { type MemoryKills, ranOutOfMemory } from '../../domain/memory-kills.ts'
import type { CommandPlace } from '../command/command.ts'
import { readMemoryKills } from './reading.ts'

/** How long a sandbox says that it ran out of memory. */
const NOTED_MS = 60 * 60_000

const WAY_OUT =
  'New sandboxes get more with a larger memory limit in their sandbox spec, or more resources in the settings.'

interface Known extends MemoryKills {
  containerId: string
}

export interface SandboxMemoryOptions {
  sandboxes(): readonly { id: string }[]
  /** There is something else to say about it. */
  onChange(id: string): void
}

/** Which sandboxes ran out of memory and went on: the kernel ends a process then, and says nothing to those who wait for it. */
export class SandboxMemory {
  readonly #options: SandboxMemoryOptions
  readonly #known = new Map<string, Known>()
  readonly #noticedAt = new Map<string, number>()

  constructor(options: SandboxMemoryOptions) {
    this.#options = options
  }

  /** What was read last of this container; undefined where it was not read yet. */
  known(id: string, containerId: string): MemoryKills | undefined {
    const known = this.#known.get(id)
    return known?.containerId === containerId ? known : undefined
  }

  /** null where it cannot be read. Never rejects. */
  async look(id: string, place: CommandPlace): Promise<MemoryKills | null> {
    const read = await readMemoryKills(place)
    if (!read) return null
    const before = this.known(id, place.containerId)
    this.#known.set(id, { ...read, containerId: place.containerId })
    if (before && read.count > before.count) this.noticed(id)
    return read
  }

  noticed(id: string): void {
    const ids = new Set(this.#options.sandboxes().map(each => each.id))
    for (const known of [...this.#known.keys(), ...this.#noticedAt.keys()]) if (!ids.has(known)) this.#forget(known)
    this.#noticedAt.set(id, Date.now())
    this.#options.onChange(id)
  }

  /** null while there is nothing to say. */
  noteOn(id: string): string | null {
    const noticedAt = this.#noticedAt.get(id)
    if (noticedAt === undefined || Date.now() - noticedAt > NOTED_MS) return null
    return `${ranOutOfMemory({ limitBytes: this.#known.get(id)?.limitBytes ?? null })} ${WAY_OUT}`
  }

  #forget(id: string): void {
    this.#known.delete(id)
    this.#noticedAt.delete(id)
  }
}
