import { NO_STATS } from '../agent/limits.ts'
import { executionStatus } from '../api/events.ts'
import { DEFAULT_SETTINGS } from '../api/settings.ts'
import { type ReportedConversation, type ReportedEvent, reportedEvent } from '../api/webhooks.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../errors.ts'
import type { EventLog } from '../event/log.ts'
import { type ConversationId, parseConversationId } from '../ids.ts'
import { SANDBOX } from '../sandbox/spec.ts'
import type { Mask } from '../secret/mask.ts'
import type { Conversation, ConversationPatch, ConversationTable } from '../store/conversations.ts'
import type { ReportedConversationTable } from '../store/reported-conversations.ts'
import { toEvent } from './reported-event.ts'
import { defaultTitle } from './title.ts'

interface Dependencies {
  log: EventLog
  conversations: ConversationTable
  table: ReportedConversationTable
  mask: Pick<Mask, 'mask'>
  bus: Bus
}

/**
 * Conversations that an agent server elsewhere runs, as it reports them: they show in lists, searches and sockets like
 * ours, but what is said to them has to be said there. Reports may come twice and in any order.
 */
export class ReportedConversations {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** @throws AppError invalid_id, unauthorized for one, or a parent, of another sandbox, conflict for one that is run here */
  report(sandboxId: string, info: ReportedConversation): void {
    const { conversations, bus } = this.#dependencies
    const id = parseConversationId(info.id)
    const known = this.#known(sandboxId, id)
    const said = { ...info, ...(info.title && { title: this.#dependencies.mask.mask(info.title) }) }
    if (known) conversations.update(id, changes(known, said))
    else this.#insert(sandboxId, id, said)
    bus.publish({ resource: 'conversation', id })
  }

  /** @throws AppError like `report` */
  record(sandboxId: string, conversationId: string, reported: readonly ReportedEvent[]): void {
    const { log, conversations, table, bus } = this.#dependencies
    const id = parseConversationId(conversationId)
    if (!this.#known(sandboxId, id)) this.#insert(sandboxId, id, { id })
    const known = table.knownEvents(
      id,
      reported.map(event => event.id),
    )
    const fresh = reported.filter((event, index) => {
      const repeated = reported.findIndex(one => one.id === event.id) < index
      return !repeated && !known.has(event.id)
    })
    const events = fresh.map(event => toEvent(this.#masked(event))).filter(event => event !== null)
    log.copyAll(id, events, () => {
      const newest = events
        .map(event => event.timestamp)
        .sort()
        .at(-1)
      table.addEvents(
        id,
        fresh.map(event => event.id),
      )
      conversations.update(id, { ...told(fresh), ...(newest !== undefined && { updated_at: newest }) })
    })
    bus.publish({ resource: 'conversation', id })
  }

  #known(sandboxId: string, id: ConversationId): Conversation | undefined {
    const { conversations, table } = this.#dependencies
    const conversation = conversations.get(id)
    if (!conversation) return undefined
    if (conversation.sandbox_id !== sandboxId) throw new AppError('unauthorized', 'Unauthorized')
    if (table.has(id)) return conversation
    throw new AppError('conflict', 'Atelier itself runs this conversation. Nobody else can report it.')
  }

  /** A parent lends its secrets and hooks, so that one of another sandbox is none. */
  #insert(sandboxId: string, id: ConversationId, info: ReportedConversation): void {
    const { log, conversations, table } = this.#dependencies
    const parent = info.parent_conversation_id && conversations.get(parseConversationId(info.parent_conversation_id))
    if (parent && parent.sandbox_id !== sandboxId) throw new AppError('unauthorized', 'Unauthorized')
    log.copyAll(id, [], () => {
      conversations.insert(conversationOf(sandboxId, id, info))
      table.add(id)
    })
  }

  /** Values that are known as secrets do not reach the disk, wherever they come from. */
  #masked(event: ReportedEvent): ReportedEvent {
    return { ...reportedEvent.parse(JSON.parse(this.#dependencies.mask.mask(JSON.stringify(event)))), id: event.id }
  }
}

/** What changes of one that is known. Its beginning, its parent and a title that a person gave stay. */
function changes(known: Conversation, info: ReportedConversation): ConversationPatch {
  const title = known.title_is_default && info.title ? { title: info.title.slice(0, 200), title_is_default: false } : {}
  return {
    ...title,
    updated_at: new Date().toISOString(),
    ...(info.execution_status && { execution_status: info.execution_status }),
    ...(info.agent?.llm?.model && { llm_model: info.agent.llm.model }),
    ...(info.max_iterations && { max_iterations: info.max_iterations }),
  }
}

/** What state updates among the events tell of the conversation. */
function told(events: readonly ReportedEvent[]): ConversationPatch {
  const patch: ConversationPatch = {}
  for (const { kind, key, value } of events) {
    if (kind !== 'ConversationStateUpdateEvent') continue
    const status = executionStatus.safeParse(key === 'full_state' ? statusIn(value) : value)
    if ((key === 'execution_status' || key === 'full_state') && status.success) patch.execution_status = status.data
  }
  return patch
}

function statusIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'execution_status' in value ? value.execution_status : undefined
}

function conversationOf(sandboxId: string, id: ConversationId, info: ReportedConversation): Conversation {
  const now = new Date().toISOString()
  return {
    id,
    created_at: now,
    updated_at: now,
    title: info.title?.slice(0, 200) || defaultTitle(id),
    title_is_default: !info.title,
    sandbox_id: sandboxId,
    working_dir: info.workspace?.working_dir || SANDBOX.workingDir,
    selected_repository: null,
    selected_branch: null,
    git_provider: null,
    trigger: null,
    pr_number: [],
    llm_model: info.agent?.llm?.model ?? null,
    instructions: null,
    parent_conversation_id: info.parent_conversation_id ? parseConversationId(info.parent_conversation_id) : null,
    execution_status: info.execution_status ?? 'idle',
    limit_reached: null,
    max_iterations: info.max_iterations ?? DEFAULT_SETTINGS.max_iterations,
    max_budget_per_task: null,
    stats: NO_STATS,
    replay: null,
    agent_type: 'default',
    confirmation_policy: { kind: 'NeverConfirm' },
    security_analyzer: null,
    always_allowed: [],
    stuck_detection: true,
    forked_from_conversation_id: null,
    forked_from_event_id: null,
  }
}
