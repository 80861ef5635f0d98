import type { ShellWatcher } from '../domain/shell-watcher.ts'
import type { Mask } from '../secret/mask/mask.ts'
import { AgentShell } from './agent-shell.ts'
import type { AttachedViewer } from './terminal.ts'
import type { ViewerSink } from './viewers.ts'

interface Dependencies {
  mask: Pick<Mask, 'mask' | 'stream'>
  size: { cols: number; rows: number }
}

/** The shells of agents as people see them, by conversation: there while the agent has its tools, or somebody looks. */
export class AgentShells {
  readonly #dependencies: Dependencies
  readonly #all = new Map<string, AgentShell>()
  /** Conversations whose agents have their tools. */
  readonly #used = new Set<string>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Who hears what the shell of this conversation's agent does, until `release`. */
  watcherOf(conversationId: string): ShellWatcher {
    this.#used.add(conversationId)
    return this.#of(conversationId)
  }

  release(conversationId: string): void {
    this.#used.delete(conversationId)
    this.#forgetUnneeded(conversationId)
  }

  attach(conversationId: string, sink: ViewerSink): AttachedViewer {
    const viewer = this.#of(conversationId).attach(sink)
    return {
      ...viewer,
      detach: () => {
        viewer.detach()
        this.#forgetUnneeded(conversationId)
      },
    }
  }

  #of(conversationId: string): AgentShell {
    const shell = this.#all.get(conversationId) ?? new AgentShell(this.#dependencies)
    this.#all.set(conversationId, shell)
    return shell
  }

  #forgetUnneeded(conversationId: string): void {
    if (this.#used.has(conversationId) || this.#all.get(conversationId)?.isWatched) return
    this.#all.delete(conversationId)
  }
}
