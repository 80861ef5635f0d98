import type { RouteBody } from '../api/contract/route.ts'
import {
  type changePendingMessage,
  MAX_PENDING_MESSAGES,
  type PendingMessage,
  type queuePendingMessage,
} from '../api/v1/conversation/pending-messages.ts'
import type { Bus } from '../bus.ts'
import { isStoreRefusal } from '../disk/failure.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'
import { type ConversationId, newConversationId, parseConversationId } from '../domain/ids.ts'
import type { Log } from '../log.ts'
import type { PendingMessageTable } from '../store/conversation/pending-messages.ts'
import { assertNotEmpty } from './run/state.ts'
import type { ConversationService } from './service.ts'
import type { FirstAttempts } from './start/dependencies.ts'
import type { StartTasks } from './start/tasks.ts'

interface Dependencies {
  table: PendingMessageTable
  conversations: ConversationService
  tasks: StartTasks
  attempts: Pick<FirstAttempts, 'begunAtStart' | 'originalOf'>
  bus: Bus
  log: Log
}

type Asked = RouteBody<typeof queuePendingMessage>
type Changes = RouteBody<typeof changePendingMessage>

/**
 * What is said to a conversation before it exists, or to its agent for when it has finished. Each message is delivered once,
 * in the order in which they wait: it leaves the queue in the transaction that puts it into the log. Where several attempts
 * were to be made of the first message, each of them gets what was said after it.
 */
export class PendingMessages {
  readonly #dependencies: Dependencies
  #closed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Follows the starts and the agents, and ends what a dead process left undone. Returns how to stop. */
  listen(): () => void {
    // What an agent finished long ago is no reason to begin something now: its messages are a person's to send.
    this.settle()
    const unsubscribe = this.#dependencies.bus.subscribe(change => {
      if (change.resource === 'start-task') this.settle()
      // A run is over only after its state is published.
      if (change.resource === 'conversation') setImmediate(() => this.#settleFinished(change.id as ConversationId))
    })
    return () => {
      this.#closed = true
      unsubscribe()
    }
  }

  /** Delivers what waits for no agent. */
  settle(): void {
    for (const id of this.#dependencies.table.conversations()) this.#settle(id)
  }

  #settleFinished(id: ConversationId): void {
    const { conversations, table } = this.#dependencies
    if (this.#closed) return
    try {
      const isWorking = conversations.exists(id) && conversations.find(id).execution_status !== 'finished'
      if (isWorking || table.count(id) === 0) return
      this.#settle(id)
      if (!conversations.exists(id) || conversations.find(id).execution_status !== 'finished') return
      const [next] = table.of(id)
      if (next) this.#deliver(id, next)
    } catch (error) {
      this.#dependencies.log.warn({ conversation: id, error: messageOf(error) }, 'Pending messages could not be read')
    }
  }

  /** @throws AppError invalid_id, conversation_not_found, too_many_requests, and of sending to one that exists */
  add(text: string, { waits_for, ...said }: Asked): { id: string; queued: boolean; position: number } {
    const { table, conversations } = this.#dependencies
    const conversationId = this.#find(text)
    const exists = conversations.exists(conversationId) && !this.#startsAttempts(conversationId)
    const waiting = table.count(conversationId)
    const message: PendingMessage = {
      id: newConversationId(),
      conversation_id: conversationId,
      ...said,
      created_at: new Date().toISOString(),
      waits_for: exists ? waits_for : 'start',
    }
    if (exists) conversations.findOwn(conversationId)
    assertNotEmpty(said.content)
    if (exists && (waits_for === 'start' || (waiting === 0 && this.#rests(conversationId)))) {
      conversations.send(conversationId, { ...said, run: true })
      return { id: message.id, queued: false, position: 0 }
    }
    if (waiting >= MAX_PENDING_MESSAGES) {
      const most = `Too many pending messages. Maximum ${MAX_PENDING_MESSAGES} messages per conversation.`
      throw new AppError('too_many_requests', most)
    }
    table.add(message)
    this.#tell(conversationId)
    return { id: message.id, queued: true, position: waiting + 1 }
  }

  /** @throws AppError invalid_id, conversation_not_found */
  list(text: string): PendingMessage[] {
    return this.#dependencies.table.of(this.#find(text))
  }

  /** What waits then, in order. @throws AppError invalid_id, conversation_not_found, not_found, bad_request */
  change(text: string, messageId: string, { content, position, send_now = false }: Changes): PendingMessage[] {
    const { table, conversations } = this.#dependencies
    const id = this.#find(text)
    if (conversations.exists(id)) conversations.findOwn(id)
    const all = table.of(id)
    const before = this.#messageIn(all, messageId)
    if (content) assertNotEmpty(content)
    const message = { ...before, ...(content && { content }) }
    if (send_now && conversations.exists(id) && !this.#startsAttempts(id)) {
      conversations.send(id, { role: message.role, content: message.content, run: true }, () => table.remove(messageId))
    } else {
      const others = all.filter(one => one !== before)
      others.splice(position === undefined ? all.indexOf(before) : position - 1, 0, message)
      table.replace(others)
    }
    this.#tell(id)
    return table.of(id)
  }

  /** @throws AppError invalid_id, conversation_not_found, not_found */
  withdraw(text: string, messageId: string): void {
    const { table } = this.#dependencies
    const id = this.#find(text)
    table.remove(this.#messageIn(table.of(id), messageId).id)
    this.#tell(id)
  }

  #messageIn(waiting: readonly PendingMessage[], messageId: string): PendingMessage {
    const found = waiting.find(({ id }) => id === messageId)
    if (found) return found
    throw new AppError('not_found', 'No such message waits here. It may have been delivered or withdrawn.')
  }

  #tell(id: ConversationId): void {
    this.#dependencies.bus.publish({ resource: 'pending-messages', id })
  }

  /** Nothing that its agent was to do is left. One that was stopped, or rejected, is a person's to tell what comes next. */
  #rests(id: ConversationId): boolean {
    const { execution_status } = this.#dependencies.conversations.find(id)
    return execution_status === 'finished' || execution_status === 'idle'
  }

  /** Delivers to a conversation whose start has ended; drops what is for one that will not be. */
  #settle(id: ConversationId): void {
    const { table, conversations, tasks, attempts } = this.#dependencies
    if (this.#starting(id)) return
    const waiting = table.of(id).filter(({ waits_for }) => waits_for === 'start')
    if (!conversations.exists(id)) return this.#drop(id, waiting)
    if (waiting.length === 0) return
    const isForAttempts = Boolean(tasks.newestOf(id)?.request.attempts)
    const begun = (isForAttempts ? attempts.begunAtStart(id) : undefined)?.filter(each => this.#isThere(each)) ?? []
    if (begun.length > 0) return this.#passOn(id, waiting, begun)
    // The first message of attempts that could not be begun waits for a person too.
    for (const message of waiting) this.#deliver(id, message, { run: !isForAttempts })
  }

  /** What every attempt has lost is said in the conversation that they were to be made of, and waits there for a person. */
  #drop(id: ConversationId, waiting: readonly PendingMessage[]): void {
    const { table, conversations, attempts } = this.#dependencies
    const original = attempts.originalOf(id)
    const all = (original && conversations.exists(original) && attempts.begunAtStart(original)) || []
    if (original && all.includes(id) && !all.some(each => this.#isThere(each))) {
      // Each of them has the same.
      for (const other of all) if (other !== id) table.removeAll(other)
      this.#passOn(id, waiting, [original])
    }
    table.removeAll(id)
  }

  #isThere(id: ConversationId): boolean {
    return this.#dependencies.conversations.exists(id) || this.#starting(id) !== undefined
  }

  #passOn(id: ConversationId, messages: readonly PendingMessage[], attempts: readonly ConversationId[]): void {
    this.#dependencies.table.passOn(messages, attempts)
    for (const each of [id, ...attempts]) this.#tell(each)
    for (const attempt of attempts) this.#settle(attempt)
  }

  /** What is said now is said to its attempts, which are not there yet. */
  #startsAttempts(id: ConversationId): boolean {
    return Boolean(this.#starting(id)?.task.request.attempts)
  }

  #starting(id: ConversationId) {
    return this.#dependencies.tasks.starting().find(({ conversationId }) => conversationId === id)
  }

  #deliver(id: ConversationId, { id: messageId, role, content }: PendingMessage, { run } = { run: true }): void {
    const { table, conversations, log } = this.#dependencies
    try {
      conversations.send(id, { role, content, run }, () => table.remove(messageId))
      this.#tell(id)
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
