import { LIMIT_ERROR_CODES, limitMessage, reachedLimit } from '../agent/limits.ts'
import { type AgentRun, agentError, type RunEnd, runAgent, stateUpdate } from '../agent/loop.ts'
import type { Event, ExecutionStatus, NewEvent } from '../api/events.ts'
import type { ConversationStats } from '../api/metrics.ts'
import type { Bus } from '../bus.ts'
import { AppError, messageOf } from '../errors.ts'
import type { EventLog } from '../event/log.ts'
import { openCalls } from '../event/view.ts'
import { type ConversationId, newEventId } from '../ids.ts'
import type { Complete } from '../llm/completion.ts'
import type { Log } from '../log.ts'
import type { Conversation, ConversationPatch, ConversationTable } from '../store/conversations.ts'
import type { Tool } from '../tools/tool.ts'
import { conversationError } from './errors.ts'
import { fullState } from './full-state.ts'

interface Dependencies {
  log: EventLog
  conversations: ConversationTable
  bus: Bus
  logger: Log
  /** Made once per conversation and kept between its runs, so that the shell survives. */
  createTools: (conversation: Conversation) => Tool[]
  createComplete: (conversation: Conversation, events: readonly Event[]) => Promise<Complete>
  prompt: (conversation: Conversation) => { fixed: string; context: string }
}

interface ActiveRun {
  abort: AbortController
  pauseRequested: boolean
  done: Promise<void>
}

/** The agents at work: at most one run per conversation. */
export class Runner {
  readonly #dependencies: Dependencies
  readonly #active = new Map<ConversationId, ActiveRun>()
  readonly #tools = new Map<ConversationId, Tool[]>()
  #closed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Starts a run; one that goes on already takes up whatever was stored meanwhile. */
  start(id: ConversationId): void {
    if (this.#closed) throw new AppError('unavailable', 'Atelier is closing.')
    const current = this.#active.get(id)
    if (current) {
      current.pauseRequested = false
      return
    }
    const active: ActiveRun = { abort: new AbortController(), pauseRequested: false, done: Promise.resolve() }
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
    const tools = this.#tools.get(id) ?? []
    this.#tools.delete(id)
    await Promise.allSettled(tools.map(tool => tool.close()))
  }

  /** Ends every run; its conversation is paused. */
  async close(): Promise<void> {
    this.#closed = true
    const ids = new Set([...this.#active.keys(), ...this.#tools.keys()])
    await Promise.all([...ids].map(id => this.release(id, CLOSED)))
  }

  /** Runs that a dead process left: their open calls are answered, and they wait for the user. */
  recover(): void {
    for (const conversation of this.#dependencies.conversations.withStatus('running')) {
      const open = openCalls(this.#dependencies.log.read(conversation.id))
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
    const followed = this.#dependencies.log.follow(id)
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
      const conversation = this.#conversation(id)
      const tools = this.#toolsOf(conversation)
      const complete = await this.#dependencies.createComplete(conversation, events)
      const systemPrompt = this.#systemPrompt(conversation, tools, events)
      return await runAgent({ ...this.#agentRun(id, active), events, tools, complete, systemPrompt })
    } catch (error) {
      return { kind: 'failed', error }
    }
  }

  #agentRun(id: ConversationId, active: ActiveRun): Omit<AgentRun, 'events' | 'tools' | 'complete' | 'systemPrompt'> {
    const { log } = this.#dependencies
    const transient = () => ({ id: newEventId(), timestamp: new Date().toISOString() })
    return {
      stats: () => this.#conversation(id).stats,
      limits: () => this.#conversation(id),
      record: (events, stats) => this.#record(id, events, stats),
      pauseRequested: () => active.pauseRequested,
      signal: active.abort.signal,
      onDelta: ({ text, reasoning }) =>
        log.publishTransient(id, {
          kind: 'StreamingDeltaEvent',
          ...transient(),
          source: 'agent',
          ...(text && { content: text }),
          ...(reasoning && { reasoning_content: reasoning }),
        }),
      onOutput: (toolCallId, tail) =>
        log.publishTransient(id, {
          kind: 'OutputDeltaEvent',
          ...transient(),
          source: 'environment',
          tool_call_id: toolCallId,
          tail,
        }),
    }
  }

  #record(id: ConversationId, events: NewEvent[], stats: ConversationStats | undefined): void {
    const { log, conversations, bus } = this.#dependencies
    log.appendAll(id, events, stored =>
      conversations.update(id, { updated_at: stored[0]?.timestamp ?? '', ...(stats && { stats }) }),
    )
    if (stats) bus.publish({ resource: 'conversation', id })
  }

  /** What was said to the model first stays what it is told. */
  #systemPrompt(conversation: Conversation, tools: Tool[], events: readonly Event[]): string {
    const stored = events.find(event => event.kind === 'SystemPromptEvent')
    if (stored) return [stored.system_prompt.text, stored.dynamic_context?.text ?? ''].join('\n\n').trim()
    const { fixed, context } = this.#dependencies.prompt(conversation)
    const event: NewEvent = {
      kind: 'SystemPromptEvent',
      source: 'agent',
      system_prompt: { type: 'text', text: fixed },
      dynamic_context: { type: 'text', text: context },
      tools: tools.map(tool => ({ name: tool.name, description: tool.description, read_only: tool.readOnly })),
    }
    this.#record(conversation.id, [event], undefined)
    return `${fixed}\n\n${context}`
  }

  #conclude(id: ConversationId, end: RunEnd): void {
    const conversation = this.#conversation(id)
    switch (end.kind) {
      case 'finished':
        return this.setStatus(id, 'finished', { limit_reached: null })
      case 'paused':
        return this.setStatus(id, 'paused', { limit_reached: null }, [{ kind: 'PauseEvent', source: 'user' }])
      case 'interrupted':
        return this.setStatus(
          id,
          'paused',
          { limit_reached: null },
          this.#closed ? [] : [{ kind: 'InterruptEvent', source: 'user' }],
        )
      case 'limit': {
        const detail = limitMessage(end.limit, conversation)
        const classification = { kind: 'limit', retryable: true, user_action: 'none' } as const
        const code = LIMIT_ERROR_CODES[end.limit]
        return this.setStatus(id, 'paused', { limit_reached: end.limit }, [
          { kind: 'ConversationErrorEvent', source: 'environment', code, detail, classification },
        ])
      }
      case 'failed':
        this.#dependencies.logger.warn({ conversation: id, error: messageOf(end.error) }, 'A run failed')
        return this.setStatus(id, 'error', { limit_reached: null }, [conversationError(end.error)])
    }
  }

  #sendFullState(id: ConversationId): void {
    const conversation = this.#dependencies.conversations.get(id)
    if (!conversation) return
    this.#dependencies.log.publishTransient(id, fullState(conversation, this.#dependencies.log.lastSeq(id)))
  }

  #toolsOf(conversation: Conversation): Tool[] {
    const tools = this.#tools.get(conversation.id) ?? this.#dependencies.createTools(conversation)
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
