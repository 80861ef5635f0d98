import { AppError } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { SharedShell } from '../../domain/shared-shell.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { ToolSet } from '../tools/tool-set.ts'

interface Dependencies {
  conversations: Pick<ConversationTable, 'get'>
  runner: { toolsOf(conversation: Conversation): ToolSet }
}

/** The shells of agents, for people: commands are theirs to give while the agent does not work. */
export class SharedShells {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  ownerOf(id: string): 'agent' | 'person' {
    return this.#find(id)?.execution_status === 'running' ? 'agent' : 'person'
  }

  of(id: string): SharedShell {
    return {
      start: async command => {
        if (this.ownerOf(id) === 'agent') {
          throw new AppError('conflict', 'The agent works in this shell. Pause it before you run commands of your own.')
        }
        await this.#shell(id).start(command)
      },
      type: async bytes => this.#shell(id).type(bytes),
    }
  }

  #shell(id: string): SharedShell {
    const conversation = this.#find(id)
    if (!conversation) throw new AppError('conversation_not_found', 'The conversation does not exist any more.')
    const { shell } = this.#dependencies.runner.toolsOf(conversation)
    if (shell) return shell
    throw new AppError('conflict', 'This agent only plans, and has no shell. Open a terminal of your own.')
  }

  #find(id: string): Conversation | undefined {
    return this.#dependencies.conversations.get(id as ConversationId)
  }
}
