import { settledWithin } from '../../async/settled-within.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { ContainerState, Engine } from '../../docker/engine.ts'
import type { StartProgress } from '../boot.ts'
import type { KeptShell } from '../command/kept-shell.ts'
import type { KeptShells } from '../command/kept-shells.ts'
import type { SandboxNetworks } from '../network/networks.ts'
import type { SandboxDraft } from './draft.ts'

/** A shell that does not start in time is not waited for: the first command starts its own. */
const SHELL_MS = 1000

export interface PreparedSandboxOptions {
  engine: Engine
  networks: Pick<SandboxNetworks, 'protect'>
  shells: Pick<KeptShells, 'take' | 'giveBack'>
  draft: SandboxDraft
  /** Of its image, read before it is made: if the name moves meanwhile it does not fit any more. */
  imageId: string
  boot(report: (progress: StartProgress) => void, signal: AbortSignal): Promise<ContainerState>
}

/** A sandbox that is nobody's yet, with a shell that is kept open for its first command. */
export class PreparedSandbox {
  readonly #options: PreparedSandboxOptions
  readonly #stop = new AbortController()
  readonly #container: Promise<ContainerState>
  readonly #shell: Promise<KeptShell | undefined>
  #latest: StartProgress | undefined
  #report = (_progress: StartProgress) => {}
  #isMade = false

  constructor(options: PreparedSandboxOptions) {
    this.#options = options
    const { engine, shells } = options
    const { signal } = this.#stop
    const report = (progress: StartProgress) => {
      this.#latest = progress
      this.#report(progress)
    }
    this.#container = options.boot(report, signal).then(container => {
      this.#isMade = true
      return container
    })
    this.#shell = this.#container.then(({ id }) => shells.take(engine, id, signal)).catch(() => undefined)
  }

  get id(): string {
    return this.draft.request.name
  }

  get draft(): SandboxDraft {
    return this.#options.draft
  }

  get imageId(): string {
    return this.#options.imageId
  }

  /** Its start is over. */
  get isMade(): boolean {
    return this.#isMade
  }

  /** Resolves when it can be used. @throws what its start failed with */
  async ready(): Promise<void> {
    await this.#container
    await settledWithin(SHELL_MS, this.#shell)
  }

  /**
   * Its container, as it was made and with the rules of now; undefined when it is another by now, and then it may be there
   * still. @throws AppError what its start failed with, or the engine; the signal's reason
   */
  async use(report: (progress: StartProgress) => void, signal: AbortSignal): Promise<ContainerState | undefined> {
    const { engine, networks, draft, imageId } = this.#options
    const giveUp = () => this.#stop.abort()
    signal.addEventListener('abort', giveUp, { once: true })
    this.#report = report
    if (this.#latest) report(this.#latest)
    try {
      const made = await unlessAborted(this.#container, signal)
      const looking = Promise.all([engine.inspectContainer(made.id), engine.image(draft.request.image)])
      const [container, image] = await unlessAborted(looking, signal)
      const isSame = container?.status === 'running' && container.startedAt === made.startedAt
      if (!isSame || image?.id !== imageId) return undefined
      await Promise.all([networks.protect(container), settledWithin(SHELL_MS, this.#shell)])
      return container
    } finally {
      signal.removeEventListener('abort', giveUp)
      void this.#giveShellBack()
    }
  }

  /** Gives up what of it is being made, and its shell. */
  async end(): Promise<void> {
    this.#stop.abort()
    await this.#container.catch(() => {})
    await settledWithin(
      SHELL_MS,
      this.#shell.then(shell => shell?.close()),
    )
    void this.#giveShellBack()
  }

  /** When it is there: it was taken, and who has it is counted. */
  async #giveShellBack(): Promise<void> {
    const shell = await this.#shell
    if (shell) this.#options.shells.giveBack((await this.#container).id, shell)
  }
}
