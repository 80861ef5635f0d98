import type { RouteBody } from '../../api/contract/route.ts'
import type { SendMessageRequest } from '../../api/event/events.ts'
import type { Attempt, AttemptChoice, AttemptSet, beginAttempts } from '../../api/v1/conversation/attempts.ts'
import type { Bus } from '../../bus.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { type ConversationId, newConversationId } from '../../domain/ids.ts'
import { textOf } from '../../event/model-messages.ts'
import type { Log } from '../../log.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { SettingsService } from '../../settings/service.ts'
import { type AttemptResult, type AttemptSetRow, AttemptTable } from '../../store/conversation/attempts.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { Database } from '../../store/database/database.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { ModelChoices } from '../model-choice.ts'
import type { ConversationService } from '../service.ts'
import type { Starter } from '../start/starter.ts'
import type { StartTasks } from '../start/tasks.ts'
import { startForks, type WantedModel } from './forks.ts'
import { measure } from './measure.ts'
import { requirePlaces } from './places.ts'
import { hasEnded, isCurrent, NOT_MEASURED, progressOf } from './progress.ts'

interface Dependencies {
  database: Database
  conversations: ConversationService
  starter: Pick<Starter, 'start'>
  tasks: StartTasks
  sandboxes: SandboxService
  checkpoints: Pick<Checkpoints, 'changes'>
  models: Pick<ModelChoices, 'savedModel' | 'chooseSaved'>
  settings: Pick<SettingsService, 'read'>
  mask: Pick<Mask, 'mask' | 'stream'>
  bus: Bus
  log: Log
}

type AttemptRow = AttemptSetRow['body']['attempts'][number]

/** One task, tried by several conversations that go on from the same one, and what came of each. */
export class Attempts {
  readonly #dependencies: Dependencies
  readonly #table: AttemptTable
  readonly #closing = new AbortController()
  /** What is being found out, by its conversation. */
  readonly #measuring = new Map<ConversationId, Measurement>()
  /** Why something could not be found out yet. */
  readonly #reasons = new Map<ConversationId, string>()
  /** To which set each of them belongs. */
  readonly #sets = new Map<ConversationId, string>()
  /** Sets of which only one, or none, is to be left. */
  readonly #removing = new Set<string>()

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
      // What could not be asked may be again.
      if (change.resource === 'sandbox') for (const id of this.#reasons.keys()) this.#settle(id)
    })
  }

  /** Who shows the attempts of a conversation reads them again when one of them has changed. */
  #note(id: ConversationId): void {
    const set = this.#setOf(id)
    if (!set) return
    this.#settle(id)
    this.#dependencies.bus.publish({ resource: 'conversation', id: set.conversation_id })
  }

  /** @throws AppError conversation_not_found, conversation_elsewhere, model_not_set, and as `require` does */
  begin(given: string, asked: RouteBody<typeof beginAttempts>): AttemptSet {
    this.#requirePlaces(asked)
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text: asked.task }], run: true }
    return this.beginWith(given, message, asked)
  }

  /** What `begin` does, with a message that may hold more than text, for a start that keeps places. @throws AppError as it does */
  beginWith(
    given: string,
    message: SendMessageRequest,
    { check = null, from_event_id, ...asked }: AttemptChoice & { from_event_id?: string | null | undefined },
  ): AttemptSet {
    const original = this.#dependencies.conversations.findOwn(given)
    const wanted = this.#modelsOf(asked)
    const task = textOf(message.content)
    const started = { original, eventId: from_event_id, message, wanted }
    return startForks(started, this.#dependencies, attempts => this.#begun(original.id, { task, check, attempts }))
  }

  /** @throws AppError not_found for a saved model that is not there, too_many_sandboxes where so many can never run at once */
  require(asked: AttemptChoice, beside: number): void {
    this.#requirePlaces(asked, beside)
    this.#modelsOf(asked)
  }

  #requirePlaces({ models }: Pick<AttemptChoice, 'models'>, beside = 0): void {
    requirePlaces(models.length, { limit: this.#dependencies.settings.read().max_running_sandboxes, beside })
  }

  /** Those that its start began in place of its agent; undefined where there are none. */
  begunAtStart(id: ConversationId): ConversationId[] | undefined {
    const first = this.#table.of(id).at(-1)
    return first?.body.attempts.map(({ conversation_id }) => conversation_id)
  }

  originalOf(id: ConversationId): ConversationId | undefined {
    // Also before it is known which there are.
    const isIn = ({ body }: AttemptSetRow) => body.attempts.some(({ conversation_id }) => conversation_id === id)
    return this.#table.all().find(isIn)?.conversation_id
  }

  #modelsOf({ models, profiles }: Pick<AttemptChoice, 'models' | 'profiles'>): WantedModel[] {
    return models.map((model, index) => {
      const profile = profiles?.[index] ?? null
      const saved = profile === null ? { model, base_url: null } : this.#dependencies.models.savedModel(profile)
      return { llm_model: saved.model, llm_base_url: saved.base_url, profile }
    })
  }

  #begun(conversation_id: ConversationId, body: AttemptSetRow['body']): AttemptSet {
    const set = { id: newConversationId(), conversation_id, created_at: new Date().toISOString(), body }
    this.#save(set)
    this.#follow(set)
    return this.#shown(set)
  }

  /** For a conversation that was just stored: an attempt with a saved model is made with what that was when it was begun. */
  chooseModel(id: ConversationId): void {
    const attempt = this.#setOf(id)?.body.attempts.find(({ conversation_id }) => conversation_id === id)
    if (!attempt || attempt.profile === null || attempt.llm_model === null) return
    const { llm_model: model, llm_base_url: base_url, profile } = attempt
    this.#dependencies.models.chooseSaved(id, profile, { model, base_url })
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
    const isAttempt = set.body.attempts.some(({ conversation_id }) => conversation_id === kept)
    if (!isAttempt || !this.#conversation(kept as ConversationId)) {
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
    await Promise.all([...this.#measuring.values()].map(({ done }) => done))
  }

  async #remove(set: AttemptSetRow, kept: string | null): Promise<void> {
    this.#removing.add(set.id)
    try {
      for (const attempt of set.body.attempts) if (attempt.conversation_id !== kept) await this.#delete(attempt)
      for (const { conversation_id } of set.body.attempts) this.#forget(conversation_id)
      this.#table.delete(set.id)
    } finally {
      this.#removing.delete(set.id)
      this.#dependencies.bus.publish({ resource: 'conversation', id: set.conversation_id })
    }
  }

  async #delete({ conversation_id: id, start_task_id }: AttemptRow): Promise<void> {
    const { conversations, tasks } = this.#dependencies
    // It may come to its end meanwhile.
    if (tasks.starting().some(({ task }) => task.id === start_task_id))
      await tasks.cancel(start_task_id).catch(() => {})
    this.#stop(id)
    if (conversations.exists(id)) await conversations.delete(id)
  }

  #forget(id: ConversationId): void {
    this.#stop(id)
    this.#sets.delete(id)
    this.#reasons.delete(id)
  }

  /** What is found out is of no use any more. */
  #stop(id: ConversationId): void {
    this.#measuring.get(id)?.abort.abort(new AppError('conflict', 'The attempt goes on.'))
  }

  #find(given: string, setId: string): AttemptSetRow {
    const { id } = this.#dependencies.conversations.find(given)
    const set = this.#table.get(setId)
    if (set?.conversation_id === id && !this.#removing.has(setId)) return set
    throw new AppError('not_found', 'There are no such attempts. They may have been deleted, or one was kept already.')
  }

  /** undefined for a conversation that is no attempt, as nearly all are: of them the database is not asked. */
  #setOf(id: ConversationId): AttemptSetRow | undefined {
    const setId = this.#sets.get(id)
    return setId === undefined ? undefined : this.#table.get(setId)
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
    const set = this.#setOf(id)
    const conversation = set && this.#conversation(id)
    if (!set || !conversation || this.#closing.signal.aborted) return
    const known = set.body.attempts.find(({ conversation_id }) => conversation_id === id)
    if (!hasEnded(conversation)) return this.#stop(id)
    if (!known || this.#measuring.has(id) || isCurrent(known.result, conversation)) return
    const abort = new AbortController()
    const done = this.#measure(set, conversation, AbortSignal.any([abort.signal, this.#closing.signal]))
    this.#measuring.set(id, { abort, done })
    this.#reasons.delete(id)
    this.#publish(set.id)
  }

  /** Never rejects. */
  async #measure({ id: setId, body }: AttemptSetRow, conversation: Conversation, signal: AbortSignal): Promise<void> {
    const { id, stats } = conversation
    try {
      const found = await measure(conversation, body.check, this.#dependencies, signal)
      signal.throwIfAborted()
      this.#keep(setId, id, { ...found, steps: stats.steps })
    } catch (error) {
      const { log } = this.#dependencies
      log.debug({ conversation: id, error: messageOf(error) }, 'An attempt could not be measured')
      if (!signal.aborted) this.#reasons.set(id, messageOf(error))
    }
    this.#measuring.delete(id)
    this.#publish(setId)
    // It may have gone on and ended meanwhile.
    if (!this.#reasons.has(id)) this.#settle(id)
  }

  #publish(setId: string): void {
    const set = this.#table.get(setId)
    if (set) this.#dependencies.bus.publish({ resource: 'conversation', id: set.conversation_id })
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
    const attempts = body.attempts.flatMap((each, index) => this.#shownAttempt(each, index + 1) ?? [])
    return { id, created_at, task: body.task, check: body.check, attempts }
  }

  /** undefined once it was deleted. */
  #shownAttempt({ result, llm_base_url: _, ...attempt }: AttemptRow, number: number): Attempt | undefined {
    const conversation = this.#conversation(attempt.conversation_id)
    const reason = this.#reasons.get(attempt.conversation_id) ?? null
    if (conversation) return { ...attempt, number, ...progressOf(conversation, result, reason) }
    const [task] = this.#dependencies.tasks.batch([attempt.start_task_id])
    if (!task || task.status === 'READY') return undefined
    const none = { execution_status: null, steps: 0, cost: null, seconds: null, ...NOT_MEASURED }
    return { ...attempt, number, ...none, state: task.status === 'ERROR' ? 'failed' : 'starting', detail: task.detail }
  }
}

interface Measurement {
  abort: AbortController
  done: Promise<void>
}
