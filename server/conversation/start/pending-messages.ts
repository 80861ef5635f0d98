import type { SendMessageRequest } from '../../api/event/events.ts'
import { MAX_PENDING_MESSAGES, type PendingMessage } from '../../api/v1/conversation/pending-messages.ts'
import type { Bus } from '../../bus.ts'
import { isStoreRefusal } from '../../disk/failure.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import { type ConversationId, newConversationId, parseConversationId } from '../../domain/ids.ts'
import type { Log } from '../../log.ts'
import type { PendingMessageTable } from '../../store/conversation/pending-messages.ts'
import type { ConversationService } from '../service.ts'
import type { StartTasks } from './tasks.ts'

interface Dependencies {
  table: PendingMessageTable
  conversations: ConversationService
  tasks: StartTasks
  bus: Bus
  log: Log
}

type MessageInput = Pick<SendMessageRequest, 'role' | 'content'>

/**
 * What is said to a conversation before it exists. Each message is delivered once, in the order in which they came: it
 * leaves the queue in the transaction that puts it into the log.
 */
export class PendingMessages {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Follows the starts, and ends what a dead process left undone. Returns how to stop. */
  listen(): () => void {
    this.settle()
    return this.#dependencies.bus.subscribe(change => {
      if (change.resource === 'start-task') this.settle()
    })
  }

  /** Delivers what can be delivered now. */
  settle(): void {
    for (const id of this.#dependencies.table.conversations()) this.#settle(id)
  }

  /** @throws AppError invalid_id, conversation_not_found, too_many_requests, and of sending to one that exists */
  add(text: string, said: MessageInput): { id: string; queued: boolean; position: number } {
    const { table, conversations } = this.#dependencies
    const conversationId = this.#find(text)
    const message: PendingMessage = {
      id: newConversationId(),
      conversation_id: conversationId,
      ...said,
      created_at: new Date().toISOString(),
    }
    if (conversations.exists(conversationId)) {
      conversations.send(conversationId, { ...said, run: true })
      return { id: message.id, queued: false, position: 0 }
    }
    const waiting = table.count(conversationId)
    if (waiting >= MAX_PENDING_MESSAGES) {
      const most = `Too many pending messages. Maximum ${MAX_PENDING_MESSAGES} messages per conversation.`
      throw new AppError('too_many_requests', most)
    }
    table.add(message)
    return { id: message.id, queued: true, position: waiting + 1 }
  }

  /** @throws AppError invalid_id, conversation_not_found */
  list(text: string): PendingMessage[] {
    return this.#dependencies.table.of(this.#find(text))
  }

  /** Delivers to a conversation that has come to be; drops what is for one that will not. */
  #settle(id: ConversationId): void {
    const { table, conversations, tasks } = this.#dependencies
    if (conversations.exists(id)) {
      for (const message of table.of(id)) this.#deliver(id, message)
    } else if (!tasks.starting().some(({ conversationId }) => conversationId === id)) {
      table.removeAll(id)
    }
  }

  #deliver(id: ConversationId, { id: messageId, role, content }: PendingMessage): void {
    const { table, conversations, log } = this.#dependencies
    try {
      conversations.send(id, { role, content, run: true }, () => table.remove(messageId))
    } catch (error) {
      if (!isAppError(error)) throw error
      if (isStoreRefusal(error)) return // it stays, and is delivered once the disk takes something again
      // An empty one, or the conversation is being deleted: it would never be taken.
      log.warn({ conversation: id, error: messageOf(error) }, 'A pending message could not be delivered')
      table.remove(messageId)
    }
  }

  #find(text: string): ConversationId {
    const { conversations, tasks } = this.#dependencies
    const id = parseConversationId(text.replace(/^task-/, ''))
    const starting = tasks.starting()
    const known = starting.find(({ conversationId, task }) => conversationId === id || task.id === id)
    if (known) return known.conversationId
    const [ended] = tasks.batch([id])
    return conversations.find(ended?.app_conversation_id ?? id).id
  }
}
