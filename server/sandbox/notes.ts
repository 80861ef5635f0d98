import type { Bus } from '../bus.ts'
import { SandboxDiskUse, type SandboxDiskUseOptions } from './disk-use.ts'
import { SandboxMemory } from './memory/kills.ts'

export interface SandboxNotesOptions extends Omit<SandboxDiskUseOptions, 'onChange'> {
  bus: Bus
}

/** What there is to say about sandboxes that run: of their memory, and of their disk. */
export class SandboxNotes {
  readonly #diskUse: SandboxDiskUse
  readonly memory: SandboxMemory

  constructor(options: SandboxNotesOptions) {
    const onChange = (id: string) => options.bus.publish({ resource: 'sandbox', id })
    this.#diskUse = new SandboxDiskUse({ ...options, onChange })
    this.memory = new SandboxMemory({ onChange, sandboxes: options.sandboxes })
  }

  start(): void {
    this.#diskUse.start()
  }

  /** null while there is nothing to say. */
  on(id: string): string | null {
    const notes = [this.memory.noteOn(id), this.#diskUse.noteOn(id)].filter(note => note !== null)
    return notes.length > 0 ? notes.join(' ') : null
  }

  close(): void {
    this.#diskUse.close()
  }
}
