import { defaultTitle } from '../../agent/default-title.ts'
import { NO_STATS } from '../../agent/limits.ts'
import { type Event, executionStatus } from '../../api/event/events.ts'
import { DEFAULT_SETTINGS } from '../../api/v1/settings/settings.ts'
import { type ReportedConversation, type ReportedEvent, reportedEvent } from '../../api/v1/system/webhooks.ts'
import { Semaphore } from '../../async/semaphore.ts'
import { Slices } from '../../async/slices.ts'
import type { Bus } from '../../bus.ts'
import { MIB } from '../../domain/bounds/bound.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { type ConversationId, parseConversationId } from '../../domain/ids.ts'
import type { EventLog } from '../../event/log.ts'
import { SANDBOX } from '../../sandbox/spec.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { Conversation, ConversationPatch, ConversationTable } from '../../store/conversation/conversations.ts'
import type { ReportedConversationTable } from '../../store/conversation/reported.ts'
import { toEvent } from './event.ts'

/** An event as it was reported and as it is kept; null for what is never kept. */
interface ReportedPair {
  reported: ReportedEvent
  stored: Event | null
}

interface Dependencies {
  eventLog: EventLog
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
  readonly #turns = new Semaphore(() => 1)
  /** Bytes of what is kept, as far as it was counted. */
  readonly #bytes = new Map<ConversationId, number>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    dependencies.conversations.onDeleted(id => this.#bytes.delete(id))
  }

  /** @throws AppError invalid_id, unauthorized for one, or a parent, of another sandbox, conflict for one that is run here or is one too many */
  report(sandboxId: string, info: ReportedConversation): void {
    const { conversations, bus } = this.#dependencies
    const id = parseConversationId(info.id)
    const known = this.#known(sandboxId, id)
    const said = { ...info, ...(info.title && { title: this.#dependencies.mask.mask(info.title) }) }
    if (known) conversations.update(id, changes(known, said))
    else this.#insert(sandboxId, id, said)
    bus.publish({ resource: 'conversation', id })
  }

  /**
   * Stores events in slices, one report after the other, so that others are served in between. Of a report that fails on
   * the way the first events are kept; whoever sends it again sends no event twice.
   *
   * @throws AppError like `report`; conflict too beyond what is kept of a conversation, and when it is deleted meanwhile
   */
  record(
    sandboxId: string,
    conversationId: string,
    reported: readonly ReportedEvent[],
    signal: AbortSignal,
  ): Promise<void> {
    const id = parseConversationId(conversationId)
    return this.#turns.run(
      () => this.#record(sandboxId, id, reported),
      () => {},
      signal,
    )
  }

  async #record(sandboxId: string, id: ConversationId, reported: readonly ReportedEvent[]): Promise<void> {
    const { table, bus } = this.#dependencies
    if (!this.#known(sandboxId, id)) this.#insert(sandboxId, id, { id })
    const ids = reported.map(event => event.id)
    const known = table.knownEvents(id, ids)
    const fresh = [...new Map(reported.toReversed().map(event => [event.id, event])).values()]
      .reverse()
      .filter(event => !known.has(event.id))
    const slices = new Slices()
    let batch: ReportedPair[] = []
    const others = await this.#bytesBeside(sandboxId, id, slices)
    let bytes = table.bytesOf(id)
    const store = () => {
      bytes += this.#store(id, batch, { bytes, others })
      this.#bytes.set(id, bytes)
      batch = []
    }
    try {
      for (const event of fresh) {
        batch.push({ reported: event, stored: toEvent(this.#masked(event)) })
        if (!slices.due()) continue
        store()
        await slices.turn()
      }
      store()
    } finally {
      bus.publish({ resource: 'conversation', id })
    }
  }

  /** Of the other conversations that the sandbox reports. */
  async #bytesBeside(sandboxId: string, id: ConversationId, slices: Slices): Promise<number> {
    const { table } = this.#dependencies
    const ids = table.idsOf(sandboxId)
    let sum = 0
    for (const other of ids.filter(one => one !== id)) {
      const bytes = this.#bytes.get(other) ?? table.bytesOf(other)
      this.#bytes.set(other, bytes)
      sum += bytes
      if (slices.due()) await slices.turn()
    }
    return sum
  }

  /** What came in one slice, all or nothing. @returns its bytes @throws AppError conflict */
  #store(id: ConversationId, taken: readonly ReportedPair[], kept: { bytes: number; others: number }): number {
    const { eventLog, conversations, table } = this.#dependencies
    if (taken.length === 0) return 0
    if (!conversations.get(id)) throw new AppError('conflict', 'The conversation was deleted while it was reported.')
    const events = taken.flatMap(({ stored }) => stored ?? [])
    const bytes = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0)
    const counted = taken.map(one => one.reported).filter(({ kind }) => kind !== 'StreamingDeltaEvent')
    assertQuota(table.countEvents(id) + counted.length, kept.bytes + bytes)
    if (kept.others + kept.bytes + bytes > BOUNDS.reportedSandboxBytes.limit) throw tooMuchOfSandbox()
    eventLog.copyAll(id, events, () => {
      const newest = events
        .map(event => event.timestamp)
        .sort()
        .at(-1)
      table.addEvents(
        id,
        counted.map(event => event.id),
      )
      conversations.update(id, { ...changesFrom(counted), ...(newest !== undefined && { updated_at: newest }) })
    })
    return bytes
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
    const { eventLog, conversations, table } = this.#dependencies
    const parent = info.parent_conversation_id && conversations.get(parseConversationId(info.parent_conversation_id))
    if (parent && parent.sandbox_id !== sandboxId) throw new AppError('unauthorized', 'Unauthorized')
    if (table.countOf(sandboxId) >= BOUNDS.reportedConversations.limit) throw tooManyConversations()
    eventLog.copyAll(id, [], () => {
      conversations.insert(conversationOf(sandboxId, id, info))
      table.add(id)
    })
  }

  /** Values that are known as secrets do not reach the disk, wherever they come from. */
  #masked(event: ReportedEvent): ReportedEvent {
    return { ...reportedEvent.parse(JSON.parse(this.#dependencies.mask.mask(JSON.stringify(event)))), id: event.id }
  }
}

function tooManyConversations(): AppError {
  const { limit } = BOUNDS.reportedConversations
  return new AppError(
    'conflict',
    `Of one sandbox, ${limit.toLocaleString('en-US')} reported conversations are kept. Delete some, then report this one again.`,
  )
}

function tooMuchOfSandbox(): AppError {
  const { limit } = BOUNDS.reportedSandboxBytes
  return new AppError(
    'conflict',
    `Of all conversations that one sandbox reports, ${limit / MIB} MB of events are kept. Delete some, then report these events again.`,
  )
}

/** @throws AppError conflict */
function assertQuota(events: number, bytes: number): void {
  const { reportedEvents, reportedBytes } = BOUNDS
  if (events <= reportedEvents.limit && bytes <= reportedBytes.limit) return
  throw new AppError(
    'conflict',
    `Of a conversation that is reported, ${reportedEvents.limit.toLocaleString('en-US')} events and ${reportedBytes.limit / MIB} MB are kept, and this one is full. Go on in a new conversation.`,
  )
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
function changesFrom(events: readonly ReportedEvent[]): ConversationPatch {
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
    pinned_at: null,
    archived_at: null,
    listed_at: null,
    source_folder: null,
    folder_mode: null,
    mounted_folder: null,
  }
}
