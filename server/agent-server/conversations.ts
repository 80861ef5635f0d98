import { z } from 'zod'
import type { GatewayAnalyzer } from '../api/agent-server/analyzers.ts'
import type { ConversationInfo, ConversationSortOrder } from '../api/agent-server/conversations.ts'
import type { GatewayLlm } from '../api/agent-server/llm.ts'
import type { GatewayMessage, StartConversationRequest } from '../api/agent-server/start-request.ts'
import { LEAF_KEY } from '../api/event/branch.ts'
import { optionsIn } from '../api/model-options.ts'
import type { ConversationSecretsInput } from '../api/v1/conversation/secrets.ts'
import type { Bus } from '../bus.ts'
import type { Branching, ForkRequest } from '../conversation/branching.ts'
import { lastMessage, titleOf } from '../conversation/run/last-message.ts'
import type { SideQuestions } from '../conversation/run/side-questions.ts'
import type { ConversationService } from '../conversation/service.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import { type ConversationId, newConversationId, parseConversationId } from '../domain/ids.ts'
import type { EventLog } from '../event/log.ts'
import type { ConversationSecrets } from '../secret/conversation-secrets.ts'
import type { Profiles } from '../settings/profiles.ts'
import type { Conversation } from '../store/conversation/conversations.ts'
import { type ConversationOptions, NO_CONVERSATION_OPTIONS } from '../store/conversation/options.ts'
import { type Access, namedByOf } from './access.ts'
import { filterOf, orderOf } from './conversation-filter.ts'
import { LogReader } from './event/log-reader.ts'
import { toConversationInfo } from './info.ts'
import { PendingStarts } from './pending-starts.ts'
import { type StartDependencies, startConversation } from './start.ts'
import { toAnalyzer, toPolicy } from './start-request.ts'

export interface GatewayConversationsDependencies extends StartDependencies {
  conversations: ConversationService
  branching: Branching
  questions: SideQuestions
  eventLog: Pick<EventLog, 'telling' | 'lastSeq'>
  profiles: Profiles
  bus: Bus
  secrets: Pick<ConversationSecrets, 'merge' | 'told'>
}

/** Conversations as the agent-server API has them. What a key does not open does not exist for it. */
export class GatewayConversations {
  readonly #dependencies: GatewayConversationsDependencies
  readonly #beginnings = new PendingStarts()
  readonly #logs: LogReader

  constructor(dependencies: GatewayConversationsDependencies) {
    this.#dependencies = dependencies
    this.#logs = new LogReader(dependencies.eventLog)
  }

  /** @throws AppError conversation_not_found also for a conversation of another sandbox */
  find(access: Access, id: string): Conversation {
    const conversation = this.#dependencies.conversations.find(id)
    if (access.kind === 'all' || conversation.sandbox_id === access.sandboxId) return conversation
    throw new AppError('conversation_not_found', 'There is no such conversation. It may have been deleted.')
  }

  /** Waits until it can take messages. @returns whether it is new @throws AppError conversation_exists in another sandbox */
  async start(
    access: Access,
    request: StartConversationRequest,
    signal: AbortSignal,
  ): Promise<{ info: ConversationInfo; isNew: boolean }> {
    const id = request.conversation_id ? parseConversationId(request.conversation_id) : newConversationId()
    await this.#beginnings.settled(id, signal)
    const existing = this.#lookUp(access, id)
    if (existing) return { info: await this.info(existing), isNew: false }
    await this.#beginnings.run(id, () => this.#begin(access, id, request, signal))
    return { info: await this.info(this.find(access, id)), isNew: true }
  }

  /** Reads what the log says of it before. */
  async info(conversation: Conversation): Promise<ConversationInfo> {
    await this.#logs.read(conversation)
    return this.infoNow(conversation)
  }

  /** With what the log said when it was read, and what little has come since. */
  infoNow(conversation: Conversation): ConversationInfo {
    const { conversations, rows, table, models, settings, secrets } = this.#dependencies
    const newest = (filter: { kind?: string; source?: string }) =>
      conversations.searchEvents(conversation.id, filter, { order: 'DESC', pageId: null, limit: 1 }).items[0]?.id ??
      null
    return toConversationInfo(conversation, {
      asked: table.get(conversation.id),
      log: this.#logs.known(conversation),
      defaultModel: settings.read().llm_model,
      hasOwnKey: models.hasKey(conversation.id),
      secrets: secrets.told(conversation.id),
      lastUserMessageId: newest({ kind: 'MessageEvent', source: 'user' }),
      leafEventId: this.#leafOf(conversation),
      subConversationIds: rows.childrenOf([conversation.id]).map(({ id }) => id),
    })
  }

  /** A page is named by its first conversation; an unknown name is the first page. */
  async search(
    access: Access,
    query: {
      status?: string | null | undefined
      order: ConversationSortOrder
      pageId?: string | null | undefined
      limit: number
    },
  ): Promise<{ items: ConversationInfo[]; next_page_id: string | null }> {
    const { rows } = this.#dependencies
    const [filter, order] = [filterOf(access, query.status), orderOf(query.order)]
    const first = query.pageId?.replaceAll('-', '')
    const offset = (first && rows.positionOf(first, filter, order)) || 0
    const found = rows.list(filter, order, offset, query.limit + 1)
    const items = await Promise.all(found.slice(0, query.limit).map(conversation => this.info(conversation)))
    return { items, next_page_id: found[query.limit]?.id ?? null }
  }

  count(access: Access, status: string | null | undefined): number {
    return this.#dependencies.rows.count(filterOf(access, status))
  }

  async batch(access: Access, ids: readonly string[]): Promise<(ConversationInfo | null)[]> {
    return Promise.all(
      ids.map(id => {
        const found = this.#lookUp(access, id)
        return found ? this.info(found) : null
      }),
    )
  }

  /** @returns false when there is no such conversation */
  async update(
    access: Access,
    id: string,
    changes: { title?: string | null | undefined; tags?: Record<string, string> | null | undefined },
  ): Promise<boolean> {
    const conversation = this.#lookUp(access, id)
    if (!conversation) return false
    if (changes.tags) this.#change(conversation, { tags: changes.tags })
    if (changes.title) await this.#dependencies.conversations.update(conversation.id, { title: changes.title })
    return true
  }

  async delete(access: Access, id: string): Promise<void> {
    const conversation = this.find(access, id)
    await this.#dependencies.conversations.delete(conversation.id, { keepSandbox: true })
    this.#dependencies.models.forget(conversation.id)
  }

  send(access: Access, id: string, message: GatewayMessage): void {
    this.#dependencies.conversations.send(this.find(access, id).id, { ...message, role: 'user' })
  }

  /**
   * One that has finished and got no message since has nothing to do.
   * @throws AppError conversation_running in the words that clients of agent servers know
   */
  run(access: Access, id: string): void {
    const conversation = this.find(access, id)
    if (conversation.execution_status === 'running') {
      throw new AppError('conversation_running', 'Conversation already running. Wait for completion or pause first.')
    }
    if (conversation.execution_status !== 'finished') this.#dependencies.conversations.run(conversation.id)
  }

  pause(access: Access, id: string): void {
    this.#dependencies.conversations.pause(this.find(access, id).id)
  }

  async interrupt(access: Access, id: string): Promise<void> {
    await this.#dependencies.conversations.interrupt(this.find(access, id).id)
  }

  async setPolicy(access: Access, id: string, policy: Parameters<typeof toPolicy>[0]): Promise<void> {
    const { conversations } = this.#dependencies
    await conversations.update(this.find(access, id).id, { confirmation_policy: toPolicy(policy) })
  }

  async setAnalyzer(access: Access, id: string, kind: GatewayAnalyzer['kind'] | null): Promise<void> {
    const conversation = this.find(access, id)
    await this.#dependencies.conversations.update(conversation.id, { security_analyzer: toAnalyzer(kind) })
    this.#change(conversation, { security_analyzer: kind })
  }

  /** @throws AppError not_waiting; accepting what goes on already does nothing */
  respond(access: Access, id: string, answer: { accept: boolean; reason: string }): void {
    this.#dependencies.conversations.respondToConfirmation(this.find(access, id).id, { ...answer, always_allow: false })
  }

  condense(access: Access, id: string): void {
    this.#dependencies.conversations.condense(this.find(access, id).id)
  }

  async ask(access: Access, id: string, question: string, signal: AbortSignal): Promise<string> {
    return this.#dependencies.questions.ask(this.find(access, id).id, question, signal)
  }

  async fork(access: Access, id: string, request: ForkRequest & { tags?: Record<string, string> | null | undefined }) {
    const { branching, table } = this.#dependencies
    const original = this.find(access, id)
    const { id: forked } = await branching.fork(original.id, request)
    const conversation = this.find(access, forked)
    const asked = table.get(original.id) ?? NO_CONVERSATION_OPTIONS
    table.save(conversation.id, { ...asked, tags: request.tags ?? asked.tags })
    return this.info(conversation)
  }

  async navigate(access: Access, id: string, eventId: string | null): Promise<ConversationInfo> {
    const conversation = this.find(access, id)
    await this.#dependencies.branching.navigate(conversation.id, eventId)
    return this.info(this.find(access, conversation.id))
  }

  async switchLlm(access: Access, id: string, llm: GatewayLlm): Promise<void> {
    const conversation = this.findOwn(access, id)
    const { models, conversations } = this.#dependencies
    const checked = models.check(llm, namedByOf(access))
    if (!checked) throw new AppError('bad_request', 'No model is named. Name it in llm.model.')
    models.forget(conversation.id)
    models.keep(conversation.id, llm)
    this.#change(conversation, { llm: checked, llm_options: optionsIn(llm), llm_options_for: checked.model })
    await conversations.update(conversation.id, { llm_model: checked.model })
  }

  /** @param name null is the model of the settings @throws AppError not_found, model_not_set */
  async switchProfile(access: Access, id: string, name: string | null): Promise<void> {
    const conversation = this.findOwn(access, id)
    const { models, profiles, settings, conversations } = this.#dependencies
    const saved = name === null ? null : await profiles.get(name)
    const model = saved?.model ?? (await settings.modelChoice(null)).model
    if (name === null) {
      models.forget(conversation.id)
      this.#change(conversation, { llm: null, llm_options: {}, llm_options_for: model })
    } else models.chooseSaved(conversation.id, name)
    await conversations.update(conversation.id, { llm_model: model })
  }

  /** @throws AppError bad_request for a name that a shell needs, or one of the vault */
  async addSecrets(access: Access, id: string, given: ConversationSecretsInput): Promise<void> {
    const { secrets, bus } = this.#dependencies
    const conversation = this.findOwn(access, id)
    await secrets.merge(conversation.id, given)
    bus.publish({ resource: 'conversation', id: conversation.id })
  }

  finalResponse(access: Access, id: string): string {
    return lastMessage(this.find(access, id).id, this.#dependencies.conversations)
  }

  /** @throws AppError bad_request when nothing was said yet */
  title(access: Access, id: string, maxLength: number): string {
    const title = titleOf(this.find(access, id).id, this.#dependencies.conversations)
    if (title === null) throw new AppError('bad_request', 'Nothing was said yet. Send a message first.')
    return title.slice(0, maxLength)
  }

  /** @throws AppError conversation_not_found, conversation_elsewhere */
  findOwn(access: Access, id: string): Conversation {
    return this.#dependencies.conversations.findOwn(this.find(access, id).id)
  }

  async #begin(access: Access, id: ConversationId, request: StartConversationRequest, signal: AbortSignal) {
    const parentId = request.parent_conversation_id ? this.find(access, request.parent_conversation_id).id : null
    await startConversation({ access, id, request, parentId, signal }, this.#dependencies)
    if (request.initial_message) this.send(access, id, { ...request.initial_message, run: true })
  }

  /** The last event, state updates aside, or where the conversation was taken back to since. */
  #leafOf({ id }: Conversation): string | null {
    for (let pageId: string | null = null; ; ) {
      const page = this.#dependencies.conversations.searchEvents(id, {}, { order: 'DESC', pageId, limit: 20 })
      for (const event of page.items) {
        if (event.kind !== 'ConversationStateUpdateEvent') return event.id
        if (event.key === LEAF_KEY) return z.string().nullable().parse(event.value)
      }
      pageId = page.next_page_id
      if (pageId === null) return null
    }
  }

  #lookUp(access: Access, id: string): Conversation | undefined {
    try {
      return this.find(access, id)
    } catch (error) {
      if (isAppError(error, 'conversation_not_found')) return undefined
      throw error
    }
  }

  #change(conversation: Conversation, changes: Partial<ConversationOptions>): void {
    const { table, bus } = this.#dependencies
    table.save(conversation.id, { ...(table.get(conversation.id) ?? NO_CONVERSATION_OPTIONS), ...changes })
    bus.publish({ resource: 'conversation', id: conversation.id })
  }
}
