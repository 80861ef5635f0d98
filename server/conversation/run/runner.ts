import { stateUpdate } from '../../agent/answer.ts'
import { runAgent } from '../../agent/loop.ts'
import type { AgentRun, RunOutcome } from '../../agent/run.ts'
import { activeBranch } from '../../api/event/branch.ts'
import type { Event, ExecutionStatus, NewEvent } from '../../api/event/events.ts'
import type { ConversationStats } from '../../api/event/metrics.ts'
import type { Bus } from '../../bus.ts'
import { isStoreRefusal } from '../../disk/failure.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { EventLog, FollowedBranch } from '../../event/log.ts'
import { openCalls } from '../../event/model-messages.ts'
import { answerSoFar, outputDelta, streamingDelta } from '../../event/stream-events.ts'
import type { Log } from '../../log.ts'
import type { Conversation, ConversationPatch, ConversationTable } from '../../store/conversation/conversations.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { promptEvent, storedPrompt } from '../system-prompt.ts'
import type { Titles } from '../titles.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import type { ActiveRun } from './active-run.ts'
import type { AgentParts } from './agent-parts.ts'
import { type EngineStatusSource, runWithEngineRecovery } from './engine-wait.ts'
import { fullState } from './full-state.ts'
import { askNow, ModelWait } from './model-wait.ts'
import { resultOfRun, resultsOfAbandonedCalls } from './outcome.ts'
import { chargeSideCall } from './side-call.ts'
import { lostResults, RunLog, type UnstoredRun, UnstoredRuns } from './unstored-runs.ts'

interface Dependencies {
  eventLog: EventLog
  conversations: ConversationTable
  bus: Bus
  log: Log
  parts: AgentParts
  titles: Titles
  checkpoints: Pick<Checkpoints, 'forRun'>
  engineOf(sandboxId: string): EngineStatusSource
}

/** The agents at work: at most one run per conversation. */
export class Runner {
  readonly #dependencies: Dependencies
  readonly #active = new Map<ConversationId, ActiveRun>()
  readonly #tools = new Map<ConversationId, ToolSet>()
  readonly #unstored: UnstoredRuns
  #closed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#unstored = new UnstoredRuns({
      store: (id, run) => this.#store(id, run),
      goOn: id => this.start(id),
      log: dependencies.log,
    })
  }

  /**
   * Starts a run; one that goes on already takes up whatever was stored meanwhile. Where calls wait for confirmation,
   * it accepts them.
   */
  start(id: ConversationId): void {
    if (this.#closed) throw new AppError('unavailable', 'Atelier is closing.')
    const current = this.#active.get(id)
    if (current) current.pauseRequested = false
    if (current) return
    const accepted = this.#conversation(id).execution_status === 'waiting_for_confirmation'
    const log = new RunLog((events, stats) => this.#record(id, events, stats))
    const model = new ModelWait(event => this.#dependencies.eventLog.publishTransient(id, event))
    const abort = new AbortController()
    const active = { abort, accepted, pauseRequested: false, log, model, done: Promise.resolve() }
    this.#active.set(id, active)
    try {
      this.setStatus(id, 'running')
    } catch (error) {
      this.#active.delete(id)
      throw error
    }
    active.done = this.#run(id, active)
  }

  /** Takes effect between steps. @returns false when nothing runs */
  pause(id: ConversationId): boolean {
    const active = this.#active.get(id)
    if (active) active.pauseRequested = true
    active?.wait?.abort()
    return active !== undefined
  }

  /** Asks a model again at once that is silent, or whose next try is waited for. @throws AppError not_waiting */
  retryModel(id: ConversationId): void {
    askNow(this.#active.get(id)?.model)
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
    this.#unstored.close()
    await this.#dependencies.titles.close()
  }

  /** Runs that a dead process left: their open calls are answered, and they wait for the user. */
  recover(): void {
    const { conversations, log } = this.#dependencies
    for (const { id } of conversations.withStatus('running')) {
      try {
        this.#pauseAbandoned(id)
      } catch (error) {
        // Whoever wants something of it next tries again.
        log.warn({ conversation: id, error: messageOf(error) }, 'A run that was cut off could not be put right')
      }
    }
  }

  /**
   * Puts a conversation right that is stored as running though nothing runs: its ending could not be stored, or its
   * run got lost. `stops`: it is not to go on by itself. @throws AppError of the store
   */
  settle(id: ConversationId, stops: boolean): void {
    if (this.#active.has(id)) return
    this.#unstored.settle(id, stops)
    if (this.#dependencies.conversations.get(id)?.execution_status === 'running') this.#pauseAbandoned(id)
  }

  /** Once the disk may take something again. */
  retryUnstored(): void {
    this.#unstored.retryAll()
  }

  #pauseAbandoned(id: ConversationId): void {
    const open = openCalls(activeBranch(this.#dependencies.eventLog.readEnd(id)))
    this.setStatus(id, 'paused', {}, resultsOfAbandonedCalls(open))
  }

  setStatus(id: ConversationId, status: ExecutionStatus, patch: ConversationPatch = {}, before: NewEvent[] = []): void {
    const { eventLog, conversations, bus } = this.#dependencies
    eventLog.appendAll(id, [...before, stateUpdate('execution_status', status)], at =>
      conversations.update(id, { execution_status: status, updated_at: at, ...patch }),
    )
    bus.publish({ resource: 'conversation', id })
  }

  async #run(id: ConversationId, active: ActiveRun): Promise<void> {
    let followed: FollowedBranch | undefined
    try {
      followed = await this.#dependencies.eventLog.follow(id)
      const { events } = followed
      const end = await runWithEngineRecovery(() => this.#prepareAndRun(id, active, events), active, {
        engine: () => this.#dependencies.engineOf(this.#conversation(id).sandbox_id),
        record: event => this.#record(id, [event], undefined),
      })
      this.#conclude(id, active, end, events)
    } catch (error) {
      this.#dependencies.log.error({ conversation: id, error: messageOf(error) }, 'A run could not be concluded')
    } finally {
      followed?.close()
      this.#active.delete(id)
    }
    this.#sendFullState(id)
  }

  async #prepareAndRun(id: ConversationId, active: ActiveRun, events: readonly Event[]): Promise<RunOutcome> {
    const keeper = this.#dependencies.checkpoints.forRun(this.#conversation(id), active.abort.signal)
    try {
      const run = await this.#agentRun(id, active, events)
      return await runAgent({ ...run, ...(keeper && { keepFiles: keeper.keep }) })
    } catch (error) {
      return { kind: 'failed', error }
    } finally {
      // Nobody waits for that, least of all a person's next message.
      keeper?.close()
    }
  }

  async #agentRun(id: ConversationId, active: ActiveRun, events: readonly Event[]): Promise<AgentRun> {
    const { eventLog, parts, titles } = this.#dependencies
    const conversation = this.#conversation(id)
    await parts.prepare(conversation, active.abort.signal)
    const tools = this.toolsOf(conversation)
    const complete = await parts.createComplete(conversation, events)
    const tell = (key: string, value: unknown) => this.#record(id, [stateUpdate(key, value)], undefined)
    const onRetry = active.model.onRetry(value => tell('llm_retry', value))
    return {
      events,
      complete,
      prompt: storedPrompt(events) ?? this.#storePrompt(conversation, tools),
      ...parts.forRun(conversation, {
        complete,
        now: () => this.#conversation(id),
        events,
        onRetry,
        tools: () => tools.current(),
        count: (usageId, completion) =>
          chargeSideCall(this.#dependencies, id, {
            usageId,
            completion,
            events: stats => [stateUpdate('stats', stats)],
          }),
      }),
      tools: () => tools.current(),
      accepted: active.accepted,
      stats: () => this.#conversation(id).stats,
      limits: () => this.#conversation(id),
      record: (added, stats) => {
        active.log.record(added, stats)
        if (stats) titles.consider(this.#conversation(id), events, complete)
      },
      pauseRequested: () => active.pauseRequested,
      signal: active.abort.signal,
      onRetry,
      onFallback: fallback => tell('llm_fallback', fallback),
      onSilence: active.model.onSilence,
      onDelta: delta => eventLog.publishTransient(id, streamingDelta(delta)),
      onVoid: () => eventLog.publishTransient(id, answerSoFar({ text: '', reasoning: '' })),
      onOutput: (toolCallId, tail) => eventLog.publishTransient(id, outputDelta(toolCallId, tail)),
    }
  }

  #record(id: ConversationId, events: NewEvent[], stats: ConversationStats | undefined): void {
    const { eventLog, conversations, bus, parts } = this.#dependencies
    eventLog.appendAll(id, events, at => {
      if (stats) parts.countUsage(this.#conversation(id).stats, stats)
      conversations.update(id, { updated_at: at, ...(stats && { stats }) })
    })
    if (stats) bus.publish({ resource: 'conversation', id })
  }

  #storePrompt(conversation: Conversation, tools: ToolSet): AgentRun['prompt'] {
    const prompt = this.#dependencies.parts.prompt(conversation)
    this.#record(conversation.id, [promptEvent(prompt, tools.current())], undefined)
    return prompt
  }

  #conclude(id: ConversationId, active: ActiveRun, end: RunOutcome, events: readonly Event[]): void {
    if (end.kind === 'failed') {
      this.#dependencies.log.warn({ conversation: id, error: messageOf(end.error) }, 'A run failed')
    }
    const { refused } = active.log
    const ending = resultOfRun(end, this.#conversation(id), this.#closed)
    const isRefused = end.kind === 'failed' && isStoreRefusal(end.error)
    if (isRefused) ending.events.unshift(...lostResults(events, refused))
    const run: UnstoredRun = { refused, ending, goesOn: isRefused && !active.abort.signal.aborted }
    try {
      this.#store(id, run)
    } catch (error) {
      if (!isStoreRefusal(error)) throw error
      this.#unstored.keep(id, run)
    }
  }

  #store(id: ConversationId, { refused, ending }: UnstoredRun): void {
    if (!this.#dependencies.conversations.get(id)) return
    for (let next = refused[0]; next; next = refused[0]) {
      this.#record(id, next.events, next.stats)
      refused.shift()
    }
    this.setStatus(id, ending.status, { limit_reached: ending.limit_reached }, ending.events)
  }

  #sendFullState(id: ConversationId): void {
    const { conversations, eventLog } = this.#dependencies
    const conversation = conversations.get(id)
    if (conversation) eventLog.publishTransient(id, fullState(conversation, eventLog.lastSeq(id)))
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
