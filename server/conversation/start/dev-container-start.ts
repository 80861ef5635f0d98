import { posix } from 'node:path'
import type { DevContainers, ReadyDevContainer } from '../../dev-container/containers.ts'
import { runSetUpCommands } from '../../dev-container/set-up.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { StartPlan, WorkspaceSource } from '../../domain/start-plan.ts'
import type { SandboxSpec } from '../../sandbox/spec.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { StartStepContext } from './work.ts'

interface Dependencies {
  devContainers: Pick<DevContainers, 'prepare'>
  mask: Pick<Mask, 'mask'>
}

/** What the start of a conversation in a dev container does more than another one; nothing where none was asked for. */
export class DevContainerStart {
  readonly #plan: StartPlan
  readonly #dependencies: Dependencies
  #ready: ReadyDevContainer | undefined

  constructor(plan: StartPlan, dependencies: Dependencies) {
    this.#plan = plan
    this.#dependencies = dependencies
  }

  get isAsked(): boolean {
    return Boolean(this.#plan.request.dev_container)
  }

  /** undefined: the sandbox is made from a spec that the person has. */
  get spec(): SandboxSpec | undefined {
    return this.#ready?.spec
  }

  /** Makes its image where that is missing. */
  async prepare({ report, signal }: StartStepContext): Promise<void> {
    const { dev_container } = this.#plan.request
    if (!dev_container) return
    const { source } = this.#plan
    this.#ready = await this.#dependencies.devContainers.prepare(source, dev_container.path, { report, signal })
  }

  /** Says what the sandbox is made from, and what was left out. */
  describe({ report }: StartStepContext): void {
    if (!this.#ready) return
    const { name, leftOut } = this.#ready
    const missing = leftOut.length > 0 ? ` Left out: ${leftOut.join(', ')}.` : ''
    report({ detail: `Dev container ${name}.${missing}` })
  }

  /** A clone has the name of the folder in which the dev container wants it. */
  placed(source: WorkspaceSource): WorkspaceSource {
    if (!this.#ready || source.kind !== 'repository') return source
    return { ...source, name: posix.basename(this.#ready.folder) }
  }

  /** @returns how its set-up commands ended, as sentences */
  async setUp(sandbox: SandboxHandle, folder: string, { report, signal }: StartStepContext): Promise<string> {
    if (!this.#ready) return ''
    const { commands, folder: workspaceFolder } = this.#ready
    const { mask } = this.#dependencies.mask
    const onLine = (detail: string) => report({ detail })
    return runSetUpCommands(sandbox, commands, { folder, workspaceFolder, mask, signal, onLine })
  }
}
