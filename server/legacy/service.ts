import type { ConversationInfo, ConversationInfoPage } from '../api/legacy/conversation-routes.ts'
import type { NewConversationReply } from '../api/legacy/conversations.ts'
import type { AppConversation } from '../api/v1/conversation/conversations.ts'
import type { ConversationService } from '../conversation/service.ts'
import type { StartingConversation, StartTasks } from '../conversation/start/tasks.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { ConversationFilter } from '../store/conversation/conversations.ts'
import type { LegacyConversationTable } from '../store/conversation/legacy.ts'
import type { Connections } from './connections.ts'
import { legacyConversationId } from './ids.ts'
import { type LegacyIdentity, toConversationInfo, toStartingInfo } from './info.ts'
import { readPageId, writePageId } from './page.ts'

interface Dependencies {
  conversations: ConversationService
  tasks: StartTasks
  sandboxes: SandboxService
  connections: Connections
  /** Which of them clients of this generation created. */
  created: LegacyConversationTable
}

export interface LegacyListQuery {
  page_id?: string | null | undefined
  limit: number
  selected_repository?: string | null | undefined
  conversation_trigger?: ConversationInfo['trigger'] | undefined
  include_sub_conversations?: boolean
}

/** Conversations as the legacy generation speaks of them: one that is starting exists already. */
export class LegacyConversations {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Newest first, after those that are starting. */
  async list(query: LegacyListQuery): Promise<ConversationInfoPage> {
    const { conversations } = this.#dependencies
    const { starting: told, offset } = readPageId(query.page_id)
    const filter = toFilter(query)
    const waiting = told === null ? [] : (await this.#starting(filter)).slice(told)
    const starting = waiting.slice(0, query.limit)
    const room = query.limit - starting.length
    if (room === 0) {
      const isLast = waiting.length === starting.length && conversations.count(filter) <= offset
      const next = { starting: (told ?? 0) + starting.length, offset }
      return { results: starting, next_page_id: isLast ? null : writePageId(next) }
    }
    const page = await conversations.search(filter, { order: 'created_at', pageId: String(offset), limit: room })
    const next = page.next_page_id === null ? null : { starting: null, offset: Number(page.next_page_id) }
    return {
      results: [...starting, ...page.items.map(item => this.#infoOf(item, 0))],
      next_page_id: next && writePageId(next),
    }
  }

  /** null when there is none, also for what is no id of ours. @throws AppError invalid_id */
  async get(text: string): Promise<ConversationInfo | null> {
    const { conversations, tasks, connections } = this.#dependencies
    const id = legacyConversationId(text)
    const [found] = await conversations.batch([id])
    if (found) return this.#infoOf(found, connections.count(id))
    const task = tasks.newestOf(id)
    return task && task.status !== 'READY' ? toStartingInfo(id, this.#identityOf(id), task) : null
  }

  /** One that is starting gets its name when it is there. @throws AppError conversation_not_found, invalid_id */
  async rename(text: string, title: string): Promise<true> {
    const id = this.#known(text)
    await this.#arrived(id)
    await this.#dependencies.conversations.update(this.find(id), { title })
    return true
  }

  /** false when there is none. Cancels one that is starting, and forgets one whose start has failed. */
  async delete(text: string): Promise<boolean> {
    const { conversations, tasks } = this.#dependencies
    const id = legacyConversationId(text)
    const starting = this.#startOf(id)
    if (starting) await tasks.cancel(starting.task.id).catch(ignoreEnded)
    try {
      await conversations.delete(id)
      return true
    } catch (error) {
      if (isAppError(error, 'conversation_not_found')) return this.#forgetFailed(id)
      throw error
    }
  }

  /** Idempotent. @throws AppError conversation_not_found, and what keeps, or has kept, the sandbox from running */
  async start(text: string): Promise<NewConversationReply> {
    const { conversations, sandboxes, tasks } = this.#dependencies
    const { id, status } = await this.#shown(text)
    if (status === 'STARTING') return this.#reply(id, 'STARTING', null)
    if (!conversations.exists(id)) throw new AppError('sandbox_start_failed', tasks.newestOf(id)?.detail ?? '')
    await sandboxes.resume(conversations.find(id).sandbox_id)
    return this.#reply(id, 'RUNNING', null)
  }

  /** Ends the agent's run and pauses the sandbox, as soon as there is one. */
  async stop(text: string): Promise<NewConversationReply> {
    const { conversations, sandboxes, connections } = this.#dependencies
    const { id, status: before } = await this.#shown(text)
    if (before === 'STOPPED') return this.#reply(id, before, 'Conversation was not running')
    await this.#arrived(id)
    if (conversations.exists(id)) {
      await conversations.interrupt(id)
      await sandboxes.pause(conversations.find(id).sandbox_id).catch(ignoreEnded)
    }
    connections.stop(id)
    const { status } = await this.#shown(text)
    return this.#reply(id, status, 'Conversation stopped successfully')
  }

  config(text: string): { runtime_id: string; session_id: string } {
    const { id, sandbox_id } = this.#dependencies.conversations.find(this.find(text))
    return { runtime_id: sandbox_id, session_id: this.#dependencies.created.nameOf(id) }
  }

  /** The id of a conversation that exists, in the form that is stored. @throws AppError conversation_not_found */
  find(text: string): ConversationId {
    return this.#dependencies.conversations.find(legacyConversationId(text)).id
  }

  /** undefined for one without a log: its start goes on, or has failed. @throws AppError conversation_not_found */
  begun(text: string): ConversationId | undefined {
    const { conversations, tasks } = this.#dependencies
    const id = legacyConversationId(text)
    const begins = !conversations.exists(id) && (tasks.newestOf(id)?.status ?? 'READY') !== 'READY'
    return begins ? undefined : this.find(text)
  }

  /** Also one that is starting. */
  #known(text: string): ConversationId {
    const id = legacyConversationId(text)
    return this.#startOf(id) ? id : this.find(text)
  }

  /** Also one whose start has failed. */
  async #shown(text: string): Promise<{ id: ConversationId; status: ConversationInfo['status'] }> {
    const id = legacyConversationId(text)
    const info = await this.get(id)
    if (info) return { id, status: info.status }
    throw notFound()
  }

  #startOf(id: ConversationId): StartingConversation | undefined {
    return this.#dependencies.tasks.starting().find(({ conversationId }) => conversationId === id)
  }

  /** Waits for a start that goes on; its error is shown where the conversation is read. */
  async #arrived(id: ConversationId): Promise<void> {
    const starting = this.#startOf(id)
    if (starting) await this.#dependencies.tasks.end(starting.task.id).catch(() => {})
  }

  /** With the sandbox, should it have been left behind. */
  async #forgetFailed(id: ConversationId): Promise<boolean> {
    const { tasks, sandboxes } = this.#dependencies
    const task = tasks.newestOf(id)
    if (task?.status !== 'ERROR') return false
    if (task.sandbox_id && !task.request.sandbox_id) await sandboxes.abandon(task.sandbox_id)
    tasks.forget(id)
    return true
  }

  /** At the end of its start a conversation is in the table already. */
  async #starting(filter: ConversationFilter): Promise<ConversationInfo[]> {
    const { conversations, tasks } = this.#dependencies
    const all = tasks.starting()
    const there = await conversations.batch(all.map(({ conversationId }) => conversationId))
    return all
      .filter((_, index) => there[index] === null)
      .filter(({ task: { request } }) => filter.includeSubConversations || !request.parent_conversation_id)
      .map(({ conversationId, task }) => toStartingInfo(conversationId, this.#identityOf(conversationId), task))
      .filter(info => !filter.selectedRepository || info.selected_repository === filter.selectedRepository)
      .filter(info => !filter.trigger || info.trigger === filter.trigger)
      .sort((a, b) => b.created_at.localeCompare(a.created_at))
  }

  #infoOf(conversation: AppConversation, connections: number): ConversationInfo {
    return toConversationInfo(conversation, this.#identityOf(conversation.id as ConversationId), connections)
  }

  #identityOf(id: ConversationId): LegacyIdentity {
    const { created } = this.#dependencies
    return { isLegacy: created.has(id), name: created.nameOf(id) }
  }

  #reply(
    id: ConversationId,
    conversation_status: NewConversationReply['conversation_status'],
    message: string | null,
  ): NewConversationReply {
    return { status: 'ok', conversation_id: this.#dependencies.created.nameOf(id), message, conversation_status }
  }
}

function toFilter(query: LegacyListQuery): ConversationFilter {
  return {
    selectedRepository: query.selected_repository || undefined,
    trigger: query.conversation_trigger ?? undefined,
    includeSubConversations: query.include_sub_conversations ?? false,
  }
}

function notFound(): AppError {
  return new AppError('conversation_not_found', 'There is no such conversation. It may have been deleted.')
}

/** It became a conversation, failed or was stopped in the meantime. */
function ignoreEnded(error: unknown): void {
  if (!isAppError(error, 'conflict')) throw error
}
