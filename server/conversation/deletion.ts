import type { Bus } from '../bus.ts'
import { messageOf } from '../domain/errors.ts'
import { type ConversationId, parseConversationId } from '../domain/ids.ts'
import type { EventLog } from '../event/log.ts'
import type { Folders } from '../folder/folders.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Log } from '../log.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { Conversation, ConversationTable } from '../store/conversation/conversations.ts'
import type { ConversationDeletions } from '../store/conversation/deletions.ts'
import type { Runner } from './run/runner.ts'

interface Dependencies {
  deletions: ConversationDeletions
  conversations: ConversationTable
  eventLog: EventLog
  sandboxes: Pick<SandboxService, 'abandon' | 'keep'>
  runner: Runner
  knowledge: Pick<Knowledge, 'endSession'>
  folders: Pick<Folders, 'copies' | 'imported'>
  bus: Bus
  log: Log
}

/**
 * Deletes conversations. That one is begun is recorded before anything is done: from then on no request finds it, and a
 * process that dies, or an engine that is away, only delays the rest.
 */
export class Deletion {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  isBegun(id: ConversationId): boolean {
    return this.#dependencies.deletions.has(id)
  }

  /** Stops the agent, removes the log, and removes the sandbox unless it is to be kept or another conversation uses it. */
  async delete(conversation: Conversation, keepSandbox: boolean): Promise<void> {
    this.#begin(conversation.id, keepSandbox)
    await this.#finish(conversation, keepSandbox)
  }

  /** Those that a dead process left behind. Never rejects. */
  async finishBegun(): Promise<void> {
    const { deletions, conversations, log } = this.#dependencies
    for (const { id, keepSandbox } of deletions.all()) {
      const conversation = conversations.get(id)
      if (!conversation) continue
      await this.#finish(conversation, keepSandbox).catch(error =>
        log.warn({ conversation: id, error: messageOf(error) }, 'A deletion could not be finished'),
      )
    }
  }

  #begin(id: ConversationId, keepSandbox: boolean): void {
    const { deletions, bus } = this.#dependencies
    deletions.begin({ id, keepSandbox })
    if (!keepSandbox) for (const child of this.#childrenOf(id)) this.#begin(child, keepSandbox)
    bus.publish({ resource: 'conversation', id })
  }

  async #finish({ id, sandbox_id }: Conversation, keepSandbox: boolean): Promise<void> {
    const { deletions, conversations, eventLog, sandboxes, runner, knowledge, folders, bus } = this.#dependencies
    await runner.interrupt(id)
    const conversation = conversations.get(id)
    if (conversation) await knowledge.endSession(conversation)
    await runner.release(id)
    await folders.copies.forget(id)
    await folders.imported.forget(id)
    for (const childId of this.#childrenOf(id)) {
      const child = conversations.get(childId)
      if (keepSandbox) conversations.update(childId, { parent_conversation_id: null })
      else if (child) await this.#finish(child, keepSandbox)
    }
    // Recorded at once, before the conversation goes, and carried out after it.
    const removal = keepSandbox ? sandboxes.keep(sandbox_id) : sandboxes.abandon(sandbox_id)
    conversations.delete(id)
    deletions.end(id)
    eventLog.forget(id)
    bus.publish({ resource: 'conversation', id })
    await removal
  }

  #childrenOf(id: ConversationId): ConversationId[] {
    return this.#dependencies.conversations.childrenOf([id]).map(child => parseConversationId(child.id))
  }
}
