import { agentError, stateUpdate } from '../agent/answer.ts'
import { addUsage, reachedLimit } from '../agent/limits.ts'
import { runAgent } from '../agent/loop.ts'
import type { AgentRun, RunEnd } from '../agent/run.ts'
import type { Event, ExecutionStatus, NewEvent } from '../api/events.ts'
import type { ConversationStats } from '../api/metrics.ts'
import type { Bus } from '../bus.ts'
import { AppError, messageOf } from '../errors.ts'
import { activeBranch } from '../event/branch.ts'
import type { EventLog } from '../event/log.ts'
import { openCalls } from '../event/view.ts'
import type { ConversationId } from '../ids.ts'
import type { Completion } from '../llm/completion.ts'
import type { Log } from '../log.ts'
import type { Conversation, ConversationPatch, ConversationTable } from '../store/conversations.ts'
import type { Tool } from '../tools/tool.ts'
import type { AgentParts } from './agent-parts.ts'
import { fullState } from './full-state.ts'
import { endingOf } from './run-ending.ts'
import { storedPrompt } from './system-prompt.ts'
import type { Titles } from './titles.ts'
import type { ToolSet } from './tool-set.ts'
import { outputDelta, streamingDelta } from './transient.ts'

interface Dependencies {
  log: EventLog
  conversations: ConversationTable
  bus: Bus
  logger: Log
  parts: AgentParts
  titles: Titles
}

interface ActiveRun {
  abort: AbortController
  /** Whether a person accepted the calls that are open. */
  accepted: boolean
  pauseRequested: boolean
  done: Promise<void>
}

/** The agents at work: at most one run per conversation. */
export class Runner {
  readonly #dependencies: Dependencies
  readonly #active = new Map<ConversationId, ActiveRun>()
  readonly #tools = new Map<ConversationId, ToolSet>()
  #closed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Starts a run; one that goes on already takes up whatever was stored meanwhile. Where calls wait for confirmation,
   * it accepts them.
   */
  start(id: ConversationId): void {
    if (this.#closed) throw new AppError('unavailable', 'Atelier is closing.')
    const current = this.#active.get(id)
    if (current) {
      current.pauseRequested = false
      return
    }
    const accepted = this.#conversation(id).execution_status === 'waiting_for_confirmation'
    const active: ActiveRun = {
      abort: new AbortController(),
      accepted,
      pauseRequested: false,
      done: Promise.resolve(),
    }
    this.#active.set(id, active)
    this.setStatus(id, 'running')
    active.done = this.#run(id, active)
  }

  /** Takes effect between steps. @returns false when nothing runs */
  pause(id: ConversationId): boolean {
    const active = this.#active.get(id)
    if (active) active.pauseRequested = true
    return active !== undefined
  }

  /** Cancels the model call and the running command; resolves when the run has ended. */
  async interrupt(id: ConversationId, why = STOPPED): Promise<boolean> {
    const active = this.#active.get(id)
    if (!active) return false
    active.abort.abort(new AppError('conflict', why))
    await active.done
    return true
  }

  /** Stops the run and closes the tools. */
  async release(id: ConversationId, why = STOPPED): Promise<void> {
    await this.interrupt(id, why)
    const tools = this.#tools.get(id)
    this.#tools.delete(id)
    await Promise.all([tools?.close(), this.#dependencies.titles.release(id)])
  }

  /** Ends every run; its conversation is paused. */
  async close(): Promise<void> {
    this.#closed = true
    const ids = new Set([...this.#active.keys(), ...this.#tools.keys()])
    await Promise.all([...ids].map(id => this.release(id, CLOSED)))
    await this.#dependencies.titles.close()
  }

  /** Runs that a dead process left: their open calls are answered, and they wait for the user. */
  recover(): void {
    for (const conversation of this.#dependencies.conversations.withStatus('running')) {
      const open = openCalls(activeBranch(this.#dependencies.log.read(conversation.id)))
      const closing = open.map(call => agentError(call.tool_name, call.tool_call_id, RESTARTED))
      this.setStatus(conversation.id, 'paused', {}, closing)
    }
  }

  setStatus(id: ConversationId, status: ExecutionStatus, patch: ConversationPatch = {}, before: NewEvent[] = []): void {
    const { log, conversations, bus } = this.#dependencies
    log.appendAll(id, [...before, stateUpdate('execution_status', status)], stored =>
      conversations.update(id, { execution_status: status, updated_at: stored[0]?.timestamp ?? '', ...patch }),
    )
    bus.publish({ resource: 'conversation', id })
  }

  async #run(id: ConversationId, active: ActiveRun): Promise<void> {
    const followed = this.#dependencies.log.follow(id, activeBranch)
    try {
      const end = await this.#prepareAndRun(id, active, followed.events)
      this.#conclude(id, end)
    } catch (error) {
      this.#dependencies.logger.error({ conversation: id, error: messageOf(error) }, 'A run could not be concluded')
    } finally {
      followed.close()
      this.#active.delete(id)
    }
    this.#sendFullState(id)
  }

  async #prepareAndRun(id: ConversationId, active: ActiveRun, events: readonly Event[]): Promise<RunEnd> {
    try {
      return await runAgent(await this.#agentRun(id, active, events))
    } catch (error) {
      return { kind: 'failed', error }
    }
  }

  async #agentRun(id: ConversationId, active: ActiveRun, events: readonly Event[]): Promise<AgentRun> {
    const { log, parts, titles } = this.#dependencies
    const conversation = this.#conversation(id)
    await parts.prepare(conversation, active.abort.signal)
    const tools = this.toolsOf(conversation)
    const complete = await parts.createComplete(conversation, events)
    const tell = (key: string, value: unknown) => this.#record(id, [stateUpdate(key, value)], undefined)
    const onRetry: AgentRun['onRetry'] = ({ attempt, delayMs, reason }) =>
      tell('llm_retry', { attempt, delay_ms: delayMs, reason })
    return {
      events,
      complete,
      prompt: storedPrompt(events) ?? this.#storePrompt(conversation, tools.current()),
      ...parts.forRun(conversation, {
        complete,
        now: () => this.#conversation(id),
        events,
        onRetry,
        tools: () => tools.current(),
        count: (usageId, completion) => this.#countAside(id, usageId, completion),
      }),
      tools: () => tools.current(),
      accepted: active.accepted,
      stats: () => this.#conversation(id).stats,
      limits: () => this.#conversation(id),
      record: (added, stats) => {
        this.#record(id, added, stats)
        if (stats) titles.consider(this.#conversation(id), events, complete)
      },
      pauseRequested: () => active.pauseRequested,
      signal: active.abort.signal,
      onRetry,
      onFallback: fallback => tell('llm_fallback', fallback),
      onDelta: delta => log.publishTransient(id, streamingDelta(delta)),
      onOutput: (toolCallId, tail) => log.publishTransient(id, outputDelta(toolCallId, tail)),
    }
  }

  #record(id: ConversationId, events: NewEvent[], stats: ConversationStats | undefined): void {
    const { log, conversations, bus, parts } = this.#dependencies
    log.appendAll(id, events, stored => {
      if (stats) parts.countUsage(this.#conversation(id).stats, stats)
      conversations.update(id, { updated_at: stored[0]?.timestamp ?? '', ...(stats && { stats }) })
    })
    if (stats) bus.publish({ resource: 'conversation', id })
  }

  #countAside(id: ConversationId, usageId: string, completion: Completion): void {
    const conversation = this.#conversation(id)
    const stats = addUsage(conversation.stats, usageId, completion, conversation)
    this.#record(id, [stateUpdate('stats', stats)], stats)
  }

  #storePrompt(conversation: Conversation, tools: readonly Tool[]): AgentRun['prompt'] {
    const { fixed, context } = this.#dependencies.parts.prompt(conversation)
    const event: NewEvent = {
      kind: 'SystemPromptEvent',
      source: 'agent',
      system_prompt: { type: 'text', text: fixed },
      dynamic_context: { type: 'text', text: context },
      tools: tools.map(tool => ({ name: tool.name, description: tool.description, read_only: tool.readOnly })),
    }
    this.#record(conversation.id, [event], undefined)
    return { fixed, context }
  }

  #conclude(id: ConversationId, end: RunEnd): void {
    if (end.kind === 'failed') {
      this.#dependencies.logger.warn({ conversation: id, error: messageOf(end.error) }, 'A run failed')
    }
    const { status, limit_reached, events } = endingOf(end, this.#conversation(id), this.#closed)
    this.setStatus(id, status, { limit_reached }, events)
  }

  #sendFullState(id: ConversationId): void {
    const conversation = this.#dependencies.conversations.get(id)
    if (!conversation) return
    this.#dependencies.log.publishTransient(id, fullState(conversation, this.#dependencies.log.lastSeq(id)))
  }

  /** Made once per conversation and kept between its runs, so that the shell survives. */
  toolsOf(conversation: Conversation): ToolSet {
    const tools = this.#tools.get(conversation.id) ?? this.#dependencies.parts.createTools(conversation)
    this.#tools.set(conversation.id, tools)
    return tools
  }

  #conversation(id: ConversationId): Conversation {
    const conversation = this.#dependencies.conversations.get(id)
    if (!conversation) throw new AppError('conversation_not_found', 'The conversation does not exist any more.')
    return conversation
  }
}

const STOPPED = 'The user stopped the agent while this call was in progress.'
const CLOSED = 'Atelier was closed while this call was in progress. Check its effects before trying again.'
const RESTARTED =
  'A restart occurred while this tool was in progress. It may have been carried out in part: check its effects before trying again.'

/** Whether a run would stop at once at a limit. */
export function isAtLimit(conversation: Conversation): boolean {
  return reachedLimit(conversation.stats, conversation) !== null
}
