import type { SharedShell } from '../domain/shared-shell.ts'
import type { ShellWatcher } from '../domain/shell-watcher.ts'
import { AgentShell, type AgentShellOptions, type AgentShellViewer, type Owner } from './agent-shell.ts'
import type { ViewerSink } from './viewers.ts'

interface Dependencies extends Pick<AgentShellOptions, 'mask' | 'size'> {
  /** Those of the conversations, which are there by the time that one is asked for. */
  sharedShells: () => { ownerOf(conversationId: string): Owner; of(conversationId: string): SharedShell }
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

  /** The conversation has changed: its agent may have begun to work, or ended. */
  notice(conversationId: string): void {
    const shell = this.#all.get(conversationId)
    if (shell) shell.owner = this.#dependencies.sharedShells().ownerOf(conversationId)
  }

  attach(conversationId: string, sink: ViewerSink, refuse: (error: unknown) => void): AgentShellViewer {
    const viewer = this.#of(conversationId).attach(sink, refuse)
    return {
      ...viewer,
      detach: () => {
        viewer.detach()
        this.#forgetUnneeded(conversationId)
      },
    }
  }

  #of(conversationId: string): AgentShell {
    const known = this.#all.get(conversationId)
    if (known) return known
    const { mask, size, sharedShells } = this.#dependencies
    const owner = sharedShells().ownerOf(conversationId)
    const shell = new AgentShell({ mask, size, owner, shared: sharedShells().of(conversationId) })
    this.#all.set(conversationId, shell)
    return shell
  }

  #forgetUnneeded(conversationId: string): void {
    if (this.#used.has(conversationId) || this.#all.get(conversationId)?.isWatched) return
    this.#all.delete(conversationId)
  }
}
