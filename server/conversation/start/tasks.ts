import type { SendMessageRequest } from '../../api/event/events.ts'
import type { AppConversationStartRequest, AppConversationStartTask } from '../../api/v1/conversation/starts.ts'
import type { Bus } from '../../bus.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { type ConversationId, parseConversationId } from '../../domain/ids.ts'
import type { Log } from '../../log.ts'
import type { StartTaskFilter, StartTaskTable, UnfinishedStart } from '../../store/conversation/start-tasks.ts'
import { dashless, SQL_ORDER, type StartTaskSortOrder } from './search.ts'
import { followStart } from './stream.ts'
import { type StartSteps, StartWork } from './work.ts'

/** Existing clients find every field of their request in the task, asked for or not. */
const NOTHING_ASKED = {
  sandbox_id: null,
  initial_message: null,
  llm_model: null,
  selected_repository: null,
  selected_branch: null,
  git_provider: null,
  title: null,
  trigger: null,
  parent_conversation_id: null,
} as const

/** A conversation that is on its way. */
export interface StartingConversation {
  conversationId: ConversationId
  task: AppConversationStartTask
}

interface Active extends StartingConversation {
  abort: AbortController
  done: Promise<void>
  /** What it failed with. */
  failure?: unknown
}

/** Start tasks: the steps between a request and a conversation, kept on disk so that people see where one failed. */
export class StartTasks {
  readonly #table: StartTaskTable
  readonly #bus: Bus
  readonly #log: Log
  readonly #mask: (text: string) => string
  readonly #active = new Map<string, Active>()

  constructor(dependencies: { table: StartTaskTable; bus: Bus; log: Log; mask: (text: string) => string }) {
    this.#table = dependencies.table
    this.#bus = dependencies.bus
    this.#log = dependencies.log
    this.#mask = dependencies.mask
  }

  /** Returns at once with status WORKING; the steps go on. `undo` runs when the start fails or is cancelled. */
  begin(
    start: { taskId: string; conversationId: ConversationId; request: AppConversationStartRequest },
    steps: StartSteps,
    undo: () => Promise<void>,
  ): AppConversationStartTask {
    const now = new Date().toISOString()
    const task: AppConversationStartTask = {
      id: start.taskId,
      created_by_user_id: null,
      status: 'WORKING',
      detail: null,
      app_conversation_id: null,
      sandbox_id: null,
      agent_server_url: null,
      request: { ...NOTHING_ASKED, ...start.request },
      steps: [],
      created_at: now,
      updated_at: now,
    }
    this.#save(task, start.conversationId)
    const abort = new AbortController()
    const save = (saved: AppConversationStartTask, firstMessage: SendMessageRequest | null) =>
      this.#save(saved, start.conversationId, firstMessage)
    const work = new StartWork(task, abort.signal, save)
    const done = work
      .run(steps, start.conversationId)
      .catch(async error => {
        await undo().catch(why => this.#log.warn({ error: messageOf(why) }, 'A failed start left something behind'))
        const active = this.#active.get(task.id)
        if (active) active.failure = error
        work.fail(abort.signal.aborted ? messageOf(abort.signal.reason) : messageOf(error))
      })
      .catch(error => this.#log.error({ error: messageOf(error) }, 'A start task could not be saved'))
      .finally(() => this.#active.delete(task.id))
    this.#active.set(task.id, { abort, done, conversationId: start.conversationId, task: structuredClone(task) })
    return structuredClone(task)
  }

  /** @throws AppError not_found, conflict when it has ended, or comes to its end all the same */
  async cancel(taskId: string): Promise<void> {
    const active = this.#active.get(taskId)
    if (!active && !this.#table.get(taskId))
      throw new AppError('not_found', 'There is no such start task. Look for it in the list of starts.')
    active?.abort.abort(new AppError('conflict', 'Cancelled.'))
    await active?.done
    if (active && active.task.status !== 'READY') return
    throw new AppError('conflict', 'This start has ended already. Delete the conversation instead.')
  }

  /** Waits until one that goes on has ended. @throws what it failed with */
  async end(taskId: string): Promise<void> {
    const active = this.#active.get(taskId)
    await active?.done
    if (active?.failure !== undefined) throw active.failure
  }

  /** Those that have not ended. */
  starting(): StartingConversation[] {
    return [...this.#active.values()]
      .filter(({ task }) => task.status !== 'READY' && task.status !== 'ERROR')
      .map(({ conversationId, task }) => ({ conversationId, task }))
  }

  /** The last start of a conversation with this id, ended or not. */
  newestOf(conversationId: ConversationId): AppConversationStartTask | undefined {
    return this.#table.list({ conversationId }, 'created_at DESC', 0, 1)[0]
  }

  /** Tasks that ended with this conversation are not listed any more. */
  forget(conversationId: ConversationId): void {
    for (const id of this.#table.remove(conversationId)) this.#bus.publish({ resource: 'start-task', id })
  }

  /** In the order of the ids; null for unknown ones. */
  batch(ids: string[]): (AppConversationStartTask | null)[] {
    return ids.map(id => this.#table.get(parseConversationId(id)) ?? null)
  }

  /** `begun` and what becomes of it; giving up listening does not cancel the start. */
  follow(begun: AppConversationStartTask, signal: AbortSignal): AsyncGenerator<AppConversationStartTask> {
    return followStart(begun, { bus: this.#bus, get: id => this.#table.get(id) }, signal)
  }

  search(
    filter: StartTaskFilter,
    page: { order: StartTaskSortOrder; pageId: string | null | undefined; limit: number },
  ): { items: AppConversationStartTask[]; next_page_id: string | null } {
    const offset = page.pageId && /^\d{1,9}$/.test(page.pageId) ? Number(page.pageId) : 0
    const found = this.#table.list(dashless(filter), SQL_ORDER[page.order], offset, page.limit + 1)
    const next_page_id = found.length > page.limit ? String(offset + page.limit) : null
    return { items: found.slice(0, page.limit), next_page_id }
  }

  count(filter: StartTaskFilter): number {
    return this.#table.count(dashless(filter))
  }

  /**
   * Starts that a dead process left behind cannot go on, but those whose conversation exists have come to their end.
   * `complete` does what is missing to that, and tells whether there is a conversation; only then the start is over.
   */
  recover(complete: (start: UnfinishedStart) => boolean, why: string): void {
    for (const start of this.#table.unfinished()) {
      const { task, conversationId } = start
      if (this.#active.has(task.id)) continue
      try {
        const end = complete(start)
          ? { status: 'READY' as const, app_conversation_id: conversationId }
          : { status: 'ERROR' as const, detail: why }
        this.#save({ ...task, ...end }, conversationId)
      } catch (error) {
        // Tried again when the disk has space, and at the next start.
        this.#log.warn({ task: task.id, error: messageOf(error) }, 'A start that was cut off could not be ended')
      }
    }
  }

  async close(): Promise<void> {
    for (const { abort } of this.#active.values())
      abort.abort(new AppError('unavailable', 'Atelier was closed during the start.'))
    await Promise.all([...this.#active.values()].map(({ done }) => done))
  }

  #save(
    task: AppConversationStartTask,
    conversationId: ConversationId,
    firstMessage: SendMessageRequest | null = null,
  ): void {
    task.updated_at = new Date().toISOString()
    // What git, an engine or a server said may repeat what it was given.
    task.detail = task.detail && this.#mask(task.detail)
    for (const step of task.steps) step.detail = step.detail && this.#mask(step.detail)
    this.#table.save(task, conversationId, firstMessage)
    const active = this.#active.get(task.id)
    if (active) active.task = structuredClone(task)
    this.#bus.publish({ resource: 'start-task', id: task.id })
  }
}
