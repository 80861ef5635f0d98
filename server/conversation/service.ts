import { rejection, stateUpdate } from '../agent/answer.ts'
import { allowableKinds } from '../agent/confirmation.ts'
import { isUntitled, titleFromMessage } from '../agent/default-title.ts'
import { activeBranch } from '../api/event/branch.ts'
import type { Event, ExecutionStatus, NewEvent, SendMessageRequest } from '../api/event/events.ts'
import { CANNED_REASONS } from '../api/event/rejection-reasons.ts'
import type { RespondToConfirmationRequest } from '../api/v1/conversation/actions.ts'
import type { AppConversation } from '../api/v1/conversation/conversations.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../domain/errors.ts'
import { type ConversationId, parseConversationId } from '../domain/ids.ts'
import type { BacklogOptions, EventListener, EventLog } from '../event/log.ts'
import { textOf } from '../event/model-messages.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { Conversation, ConversationFilter, ConversationTable } from '../store/conversation/conversations.ts'
import type { ReportedConversationTable } from '../store/conversation/reported.ts'
import type { EventFilter } from '../store/events.ts'
import { type Activity, activityIn } from './activity.ts'
import { setArchived } from './archive.ts'
import type { Deletion } from './deletion.ts'
import { type ConversationChanges, isOnlyForList, patchOf } from './files/changes.ts'
import { fullState } from './run/full-state.ts'
import { lastMessage } from './run/last-message.ts'
import type { Runner } from './run/runner.ts'
import { afterMessage, assertAllowed, assertNotEmpty } from './run/state.ts'
import { waitingCalls } from './run/waiting-calls.ts'
import { toAppConversation } from './to-api.ts'

interface Dependencies {
  eventLog: EventLog
  conversations: ConversationTable
  sandboxes: SandboxService
  runner: Runner
  deletion: Deletion
  knowledge: Pick<Knowledge, 'activate'>
  bus: Bus
  mask: (text: string) => string
  reported: Pick<ReportedConversationTable, 'has'>
  /** false where a client wants none that it did not give. */
  wantsTitle: (id: ConversationId) => boolean
  /** Whether what its model costs can be counted. */
  isPriceKnown: (conversation: Conversation) => boolean
}

/** Everything that can be done with a conversation that exists. Ids come in either form. */
export class ConversationService {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async search(
    filter: ConversationFilter,
    page: { order: 'created_at' | 'updated_at'; pageId: string | null | undefined; limit: number },
  ): Promise<{ items: AppConversation[]; next_page_id: string | null }> {
    const offset = page.pageId && /^\d{1,9}$/.test(page.pageId) ? Number(page.pageId) : 0
    const found = this.#dependencies.conversations.list(filter, page.order, offset, page.limit + 1)
    const items = await this.#present(found.slice(0, page.limit))
    return { items, next_page_id: found.length > page.limit ? String(offset + page.limit) : null }
  }

  count(filter: ConversationFilter): number {
    return this.#dependencies.conversations.count(filter)
  }

  /** In the order of the ids; null for unknown ones. @throws AppError invalid_id */
  async batch(ids: string[]): Promise<(AppConversation | null)[]> {
    const found = ids.map(id => this.#get(parseConversationId(id)))
    const shown = await this.#present(found.filter(one => one !== undefined))
    const byId = new Map(shown.map(one => [one.id, one]))
    return found.map(one => (one && byId.get(one.id)) ?? null)
  }

  /** @throws AppError conversation_not_found, invalid_id */
  async get(id: string): Promise<AppConversation> {
    const [shown] = await this.#present([this.find(id)])
    if (!shown) throw new AppError('internal', 'The conversation could not be shown.')
    return shown
  }

  async update(id: string, changes: ConversationChanges): Promise<AppConversation> {
    const conversation = isOnlyForList(changes) ? this.find(id) : this.findOwn(id)
    const { eventLog, conversations, bus } = this.#dependencies
    const events = changes.title === undefined ? [] : [stateUpdate('title', changes.title)]
    const patch = patchOf(conversation, changes)
    eventLog.appendAll(conversation.id, events, () => {
      conversations.update(conversation.id, patch)
      if (changes.archived !== undefined) setArchived(conversations, conversation.id, changes.archived)
    })
    bus.publish({ resource: 'conversation', id: conversation.id })
    return this.get(id)
  }

  /**
   * Stops the agent, removes the log, and removes the sandbox unless it is to be kept or another conversation uses it. From
   * the first moment no request finds it any more; without an engine the sandbox is removed when there is one.
   */
  async delete(id: string, options: { keepSandbox?: boolean } = {}): Promise<void> {
    await this.#dependencies.deletion.delete(this.find(id), options.keepSandbox ?? false)
  }

  /**
   * Stores the message; a run that goes on takes it up, `run` starts one otherwise. Calls that wait for confirmation are
   * rejected: who answers with words has not accepted them. `alongside` is committed with the message.
   */
  send(id: string, request: SendMessageRequest, alongside?: () => void): void {
    const conversation = this.#findSettled(id)
    assertAllowed(conversation.execution_status, 'send')
    assertNotEmpty(request.content)
    const { eventLog, conversations, runner, bus, mask, wantsTitle } = this.#dependencies
    const status = afterMessage(conversation.execution_status)
    const title =
      isUntitled(conversation) && wantsTitle(conversation.id) ? titleFromMessage(mask(textOf(request.content))) : null
    const rejected = waitingCalls(eventLog, conversation).map(call =>
      rejection(call, CANNED_REASONS.answeredWithWords, 'user'),
    )
    const events = [
      ...rejected,
      this.#userMessage(conversation.id, request),
      ...changeEvents(conversation, status, title),
    ]
    eventLog.appendAll(conversation.id, events, at => {
      alongside?.()
      setArchived(conversations, conversation.id, false)
      conversations.update(conversation.id, {
        updated_at: at,
        execution_status: status,
        ...(title !== null && { title }),
      })
    })
    bus.publish({ resource: 'conversation', id: conversation.id })
    if (request.run) runner.start(conversation.id)
  }

  /**
   * Accepting lets the agent go on; one that goes on already has been answered. Rejecting leaves it idle.
   * @throws AppError conversation_not_found, not_waiting
   */
  respondToConfirmation(id: string, { accept, reason, always_allow, action_ids }: RespondToConfirmationRequest): void {
    const conversation = this.findOwn(id)
    const { runner, conversations } = this.#dependencies
    if (accept && !action_ids && conversation.execution_status === 'running') return
    const calls = waitingCalls(this.#dependencies.eventLog, conversation)
    if (calls.length === 0 || (action_ids && calls.map(call => call.id).join() !== action_ids.join()))
      throw new AppError('not_waiting', 'Nothing waits for a confirmation here. It may have been answered already.')
    if (!accept) {
      const rejections = calls.map(call => rejection(call, reason, 'user'))
      return runner.setStatus(conversation.id, 'idle', {}, rejections)
    }
    if (always_allow) {
      const always_allowed = [...new Set([...conversation.always_allowed, ...allowableKinds(calls)])]
      conversations.update(conversation.id, { always_allowed })
    }
    runner.start(conversation.id)
  }

  /** Earlier steps are summed up before the next one. */
  condense(id: string): void {
    const conversation = this.findOwn(id)
    this.#dependencies.eventLog.append(conversation.id, { kind: 'CondensationRequest', source: 'environment' })
  }

  /** @throws AppError not_waiting */
  retryModel(id: string): void {
    this.#dependencies.runner.retryModel(this.findOwn(id).id)
  }

  /** The agent's last word; empty when there is none. */
  finalResponse(id: string): string {
    return lastMessage(this.find(id).id, this)
  }

  run(id: string): void {
    const conversation = this.#findSettled(id)
    assertAllowed(conversation.execution_status, 'run')
    this.#dependencies.runner.start(conversation.id)
  }

  /** Between steps; a conversation that does not run is paused at once, one that has ended stays as it is. */
  pause(id: string): void {
    const conversation = this.#findSettled(id, true)
    assertAllowed(conversation.execution_status, 'pause')
    const { runner } = this.#dependencies
    if (runner.pause(conversation.id) || conversation.execution_status !== 'idle') return
    runner.setStatus(conversation.id, 'paused', {}, [{ kind: 'PauseEvent', source: 'user' }])
  }

  async interrupt(id: string): Promise<void> {
    const conversation = this.#findSettled(id, true)
    assertAllowed(conversation.execution_status, 'interrupt')
    await this.#dependencies.runner.interrupt(conversation.id)
  }

  searchEvents(
    id: string,
    filter: EventFilter,
    page: { order: 'ASC' | 'DESC'; pageId: string | null | undefined; limit: number },
  ): { items: Event[]; next_page_id: string | null; next_event_id: string | null } {
    const { items, next } = this.#dependencies.eventLog.search(this.find(id).id, filter, page)
    return { items, next_page_id: next?.pageId ?? null, next_event_id: next?.id ?? null }
  }

  countEvents(id: string, filter: EventFilter): number {
    return this.#dependencies.eventLog.count(this.find(id).id, filter)
  }

  /** Of any conversation, in the order of the ids; null for unknown ones. */
  batchEvents(eventIds: readonly string[]): (Event | null)[] {
    return this.#dependencies.eventLog.batch(eventIds)
  }

  /** Unknown ids are left out. */
  eventsById(id: string, eventIds: readonly string[]): Event[] {
    return this.#dependencies.eventLog.byIds(this.find(id).id, eventIds)
  }

  /** First the full state, then stored events from `fromSeq`, then live ones. @throws AppError conversation_not_found */
  subscribe(id: string, fromSeq: number | 'now', listener: EventListener, backlog?: BacklogOptions): () => void {
    const conversation = this.find(id)
    const { eventLog } = this.#dependencies
    const lastSeq = eventLog.lastSeq(conversation.id)
    listener({ seq: undefined, body: JSON.stringify(fullState(conversation, lastSeq)) })
    return eventLog.subscribe(conversation.id, fromSeq === 'now' ? lastSeq + 1 : fromSeq, listener, backlog)
  }

  activity(): Omit<Activity, 'starting'> {
    return activityIn(this.#dependencies.conversations)
  }

  exists(id: ConversationId): boolean {
    return this.#get(id) !== undefined
  }

  /** @throws AppError conversation_not_found, invalid_id */
  find(id: string): Conversation {
    const conversation = this.#get(parseConversationId(id))
    if (!conversation)
      throw new AppError('conversation_not_found', 'There is no such conversation. It may have been deleted.')
    return conversation
  }

  /** As it is once a run that ended unseen is put right. */
  #findSettled(id: string, stops = false): Conversation {
    this.#dependencies.runner.settle(this.findOwn(id).id, stops)
    return this.findOwn(id)
  }

  /** One that is being deleted is gone for everybody. */
  #get(id: ConversationId): Conversation | undefined {
    const { conversations, deletion } = this.#dependencies
    return deletion.isBegun(id) ? undefined : conversations.get(id)
  }

  /** One whose agent is Atelier's. @throws AppError conversation_not_found, invalid_id, conversation_elsewhere */
  findOwn(id: string): Conversation {
    const conversation = this.find(id)
    if (!this.#dependencies.reported.has(conversation.id)) return conversation
    throw new AppError(
      'conversation_elsewhere',
      'Another agent server runs this conversation and reports it here. Speak to it there.',
    )
  }

  /** With what its words bring up from the repository's and the user's skills. */
  #userMessage(id: ConversationId, { role, content }: SendMessageRequest): NewEvent {
    const { eventLog, knowledge } = this.#dependencies
    // What the model was given long before the end of the log may be forgotten: it is given again.
    const { names, blocks } = knowledge.activate(id, textOf(content), () => activeBranch(eventLog.readEnd(id)))
    return {
      kind: 'MessageEvent',
      source: 'user',
      llm_message: { role, content },
      activated_skills: names,
      extended_content: blocks.map(text => ({ type: 'text' as const, text })),
    }
  }

  async #present(found: Conversation[]): Promise<AppConversation[]> {
    const { conversations, sandboxes, isPriceKnown } = this.#dependencies
    const children = conversations.childrenOf(found.map(({ id }) => id))
    const running = await sandboxes.batch(found.map(({ sandbox_id }) => sandbox_id))
    return found.map((conversation, index) =>
      toAppConversation(conversation, {
        sandbox: running[index] ?? undefined,
        priceKnown: isPriceKnown(conversation),
        subConversationIds: children.filter(({ parent }) => parent === conversation.id).map(({ id }) => id),
      }),
    )
  }
}

function changeEvents(before: Conversation, status: ExecutionStatus, title: string | null): NewEvent[] {
  return [
    ...(title === null ? [] : [stateUpdate('title', title)]),
    ...(status === before.execution_status ? [] : [stateUpdate('execution_status', status)]),
  ]
}
