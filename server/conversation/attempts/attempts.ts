import { totalCost } from '../../agent/limits.ts'
import type { RouteBody } from '../../api/contract/route.ts'
import type { Attempt, AttemptSet, beginAttempts } from '../../api/v1/conversation/attempts.ts'
import { appConversationStartRequest } from '../../api/v1/conversation/starts.ts'
import type { Bus } from '../../bus.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { type ConversationId, newConversationId } from '../../domain/ids.ts'
import type { EventLog } from '../../event/log.ts'
import type { Log } from '../../log.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { type AttemptResult, type AttemptSetRow, AttemptTable } from '../../store/conversation/attempts.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { Database } from '../../store/database/database.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { ConversationService } from '../service.ts'
import type { Starter } from '../start/starter.ts'
import type { StartTasks } from '../start/tasks.ts'
import { measure } from './measure.ts'

interface Dependencies {
  database: Database
  conversations: ConversationService
  eventLog: Pick<EventLog, 'lastSeq'>
  starter: Pick<Starter, 'start'>
  tasks: StartTasks
  sandboxes: SandboxService
  checkpoints: Pick<Checkpoints, 'changes'>
  mask: Pick<Mask, 'mask'>
  bus: Bus
  log: Log
}

type AttemptRow = AttemptSetRow['body']['attempts'][number]

/** One task, tried by several conversations that go on from the same one, and what came of each. */
export class Attempts {
  readonly #dependencies: Dependencies
  readonly #table: AttemptTable
  readonly #closing = new AbortController()
  /** Conversations whose result is being found out. Never rejects. */
  readonly #measuring = new Map<ConversationId, Promise<void>>()
  /** To which set each of them belongs. */
  readonly #sets = new Map<ConversationId, string>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#table = new AttemptTable(dependencies.database)
  }

  /** Measures what has ended, now and from now on. Returns how to stop. */
  listen(): () => void {
    for (const set of this.#table.all()) this.#follow(set)
    for (const id of this.#sets.keys()) this.#settle(id)
    return this.#dependencies.bus.subscribe(change => {
      if (change.resource === 'conversation') this.#note(change.id as ConversationId)
    })
  }

  /** Who shows the attempts of a conversation reads them again when one of them has changed. */
  #note(id: ConversationId): void {
    const set = this.#table.get(this.#sets.get(id) ?? '')
    if (!set) return
    this.#settle(id)
    this.#dependencies.bus.publish({ resource: 'conversation', id: set.conversation_id })
  }

  /** @throws AppError conversation_not_found, conversation_elsewhere, model_not_set */
  begin(given: string, asked: RouteBody<typeof beginAttempts>): AttemptSet {
    const { conversations, starter } = this.#dependencies
    const original = conversations.findOwn(given)
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text: asked.task }], run: true }
    const attempts = asked.models.map((llm_model, index): AttemptRow => {
      const conversation_id = newConversationId()
      const { id } = starter.start(
        appConversationStartRequest.parse({
          conversation_id,
          forked_from_conversation_id: original.id,
          forked_from_event_id: asked.from_event_id,
          initial_message: message,
          llm_model,
          title: `${original.title ?? 'Conversation'} (${index + 1})`.slice(-200),
        }),
      )
      return { conversation_id, start_task_id: id, llm_model, result: null }
    })
    const set: AttemptSetRow = {
      id: newConversationId(),
      conversation_id: original.id,
      created_at: new Date().toISOString(),
      body: { task: asked.task, check: asked.check ?? null, attempts },
    }
    this.#save(set)
    this.#follow(set)
    return this.#shown(set)
  }

  /** The last ones first; those of which nothing is left are left out. @throws AppError conversation_not_found */
  list(given: string): { items: AttemptSet[] } {
    const { id } = this.#dependencies.conversations.find(given)
    const sets = this.#table.of(id).map(set => this.#shown(set))
    return { items: sets.filter(({ attempts }) => attempts.length > 0) }
  }

  /** @throws AppError conversation_not_found, not_found */
  async keep(given: string, setId: string, kept: string): Promise<void> {
    const set = this.#find(given, setId)
    if (!set.body.attempts.some(({ conversation_id }) => conversation_id === kept)) {
      throw new AppError('not_found', 'There is no such attempt. List them, and name the conversation of one.')
    }
    await this.#remove(set, kept)
  }

  /** @throws AppError conversation_not_found, not_found */
  async delete(given: string, setId: string): Promise<void> {
    await this.#remove(this.#find(given, setId), null)
  }

  async close(): Promise<void> {
    this.#closing.abort(new AppError('unavailable', 'Atelier is closing.'))
    await Promise.all(this.#measuring.values())
  }

  async #remove(set: AttemptSetRow, kept: string | null): Promise<void> {
    const { conversations, tasks, bus } = this.#dependencies
    const others = set.body.attempts.filter(({ conversation_id }) => conversation_id !== kept)
    for (const { conversation_id: id, start_task_id } of others) {
      // It may come to its end meanwhile.
      if (tasks.starting().some(({ task }) => task.id === start_task_id))
        await tasks.cancel(start_task_id).catch(() => {})
      if (conversations.exists(id)) await conversations.delete(id)
    }
    for (const { conversation_id } of set.body.attempts) this.#sets.delete(conversation_id)
    this.#table.delete(set.id)
    bus.publish({ resource: 'conversation', id: set.conversation_id })
  }

  #find(given: string, setId: string): AttemptSetRow {
    const { id } = this.#dependencies.conversations.find(given)
    const set = this.#table.get(setId)
    if (set?.conversation_id === id) return set
    throw new AppError('not_found', 'There are no such attempts. They may have been deleted, or one was kept already.')
  }

  #follow(set: AttemptSetRow): void {
    for (const { conversation_id } of set.body.attempts) this.#sets.set(conversation_id, set.id)
  }

  #save(set: AttemptSetRow): void {
    this.#table.save(set)
    this.#dependencies.bus.publish({ resource: 'conversation', id: set.conversation_id })
  }

  /** Measures it once its agent has ended, unless that is known already. */
  #settle(id: ConversationId): void {
    const set = this.#table.get(this.#sets.get(id) ?? '')
    if (!set || this.#measuring.has(id) || this.#closing.signal.aborted) return
    const known = set.body.attempts.find(({ conversation_id }) => conversation_id === id)
    const conversation = this.#conversation(id)
    if (!known || !conversation || !hasEnded(conversation)) return
    if (known.result?.seq === this.#dependencies.eventLog.lastSeq(id)) return
    const work = this.#measure(set, conversation)
      .catch(error => {
        const { log } = this.#dependencies
        log.warn({ conversation: id, error: messageOf(error) }, 'An attempt could not be measured')
      })
      .finally(() => this.#measuring.delete(id))
    this.#measuring.set(id, work)
  }

  async #measure({ id: setId, body }: AttemptSetRow, conversation: Conversation): Promise<void> {
    const { eventLog } = this.#dependencies
    const seq = eventLog.lastSeq(conversation.id)
    const found = await measure(conversation, body.check, this.#dependencies, this.#closing.signal)
    this.#keep(setId, conversation.id, { ...found, seq })
  }

  #keep(setId: string, id: ConversationId, result: AttemptResult): void {
    // Others may have ended meanwhile, or all been deleted.
    const set = this.#table.get(setId)
    if (!set) return
    const attempts = set.body.attempts.map(each => (each.conversation_id === id ? { ...each, result } : each))
    this.#save({ ...set, body: { ...set.body, attempts } })
  }

  #conversation(id: ConversationId): Conversation | undefined {
    const { conversations } = this.#dependencies
    return conversations.exists(id) ? conversations.find(id) : undefined
  }

  #shown({ id, created_at, body }: AttemptSetRow): AttemptSet {
    const attempts = body.attempts.flatMap(each => this.#shownAttempt(each) ?? [])
    return { id, created_at, task: body.task, check: body.check, attempts }
  }

  /** undefined once it was deleted. */
  #shownAttempt({ result, ...attempt }: AttemptRow): Attempt | undefined {
    const conversation = this.#conversation(attempt.conversation_id)
    const none = { execution_status: null, steps: 0, cost: null, seconds: null, changes: null, check: null }
    if (conversation) return { ...attempt, ...this.#progress(conversation, result) }
    const [task] = this.#dependencies.tasks.batch([attempt.start_task_id])
    if (!task || task.status === 'READY') return undefined
    return { ...attempt, ...none, state: task.status === 'ERROR' ? 'failed' : 'starting', detail: task.detail }
  }

  #progress(conversation: Conversation, result: AttemptResult | null) {
    const { id, execution_status, stats, created_at, updated_at } = conversation
    const { changes = null, check = null, detail = null } = result ?? {}
    const isMeasured = result !== null && hasEnded(conversation)
    const ended = this.#measuring.has(id) || !isMeasured ? 'checking' : 'done'
    return {
      state: hasEnded(conversation) ? ended : execution_status === 'running' ? 'working' : 'waiting',
      detail,
      execution_status,
      steps: stats.steps,
      cost: stats.cost_unknown ? null : totalCost(stats),
      seconds: (Date.parse(updated_at) - Date.parse(created_at)) / 1000,
      changes,
      check,
    } as const
  }
}

/** Whether its agent has done what it could. One that was just made has not begun. */
function hasEnded({ execution_status, updated_at, created_at }: Conversation): boolean {
  if (execution_status === 'idle') return updated_at !== created_at
  return execution_status === 'finished' || execution_status === 'error' || execution_status === 'stuck'
}
