import type { Event, EventOf } from '../../api/event/events.ts'
import { type ConversationStats, conversationStats, type TokenUsage } from '../../api/event/metrics.ts'

/** The newest answers of models, one by one; the sums stand in the statistics. */
export interface Answers {
  /** US dollars each; null where the price is not known. `timestamp` in seconds since 1970. */
  costs: { model: string; cost: number | null; timestamp: number }[]
  /** In seconds, from the request to the end of the answer. */
  response_latencies: { model: string; latency: number; response_id: string }[]
  token_usages: TokenUsage[]
}

const NO_ANSWERS: Answers = { costs: [], response_latencies: [], token_usages: [] }

const MAX_ANSWERS = 100
const MAX_BLOCKED = 1000

/** What a conversation's log says of skills, hooks and models. Events are added in their order, each one once. */
export class LogFacts {
  readonly #activated = new Set<string>()
  readonly #invoked = new Set<string>()
  readonly #blockedActions = new Map<string, string>()
  readonly #blockedMessages = new Map<string, string>()
  #answers: Record<string, Answers> = {}
  #stats: ConversationStats | undefined

  get activatedSkills(): string[] {
    return [...this.#activated]
  }

  get invokedSkills(): string[] {
    return [...this.#invoked]
  }

  /** Why, by the id of the action's event. */
  get blockedActions(): Record<string, string> {
    return Object.fromEntries(this.#blockedActions)
  }

  /** Why, by the id of the message's event. */
  get blockedMessages(): Record<string, string> {
    return Object.fromEntries(this.#blockedMessages)
  }

  /** By what they were for. */
  answersFor(usageId: string): Answers {
    return Object.hasOwn(this.#answers, usageId) ? (this.#answers[usageId] ?? NO_ANSWERS) : NO_ANSWERS
  }

  add(event: Event): void {
    switch (event.kind) {
      case 'MessageEvent':
        for (const name of event.activated_skills) this.#activated.add(name)
        return
      case 'ObservationEvent':
        if (event.observation.kind === 'InvokeSkillObservation' && !event.observation.is_error)
          this.#invoked.add(event.observation.name)
        return
      case 'HookExecutionEvent':
        if (event.blocked) this.#addBlocked(event)
        return
      case 'ConversationStateUpdateEvent':
        if (event.key === 'stats') this.#addStats(event)
    }
  }

  #addBlocked({ hook_event_type, action_id, message_id, reason = '' }: EventOf<'HookExecutionEvent'>): void {
    if (hook_event_type === 'PreToolUse' && action_id) remember(this.#blockedActions, action_id, reason)
    if (hook_event_type === 'UserPromptSubmit' && message_id) remember(this.#blockedMessages, message_id, reason)
  }

  /** A step of the agent says itself what it took; of other answers only the sums are written. */
  #addStats({ value, timestamp }: EventOf<'ConversationStateUpdateEvent'>): void {
    const parsed = conversationStats.safeParse(value)
    if (!parsed.success) return
    const [before, after] = [this.#stats, parsed.data]
    this.#stats = after
    const seconds = Date.parse(timestamp) / 1000
    const step = after.steps > (before?.steps ?? 0) ? after.last_step : null
    const stepUsage = step ? (step.usage_id ?? 'default') : null
    if (step && stepUsage) {
      const { model } = step.usage
      this.#list(stepUsage, {
        costs: [{ model, cost: step.cost, timestamp: seconds }],
        response_latencies: [{ model, latency: step.latency_ms / 1000, response_id: step.response_id }],
        token_usages: [step.usage],
      })
    }
    // A fork may begin with the sums of its original, whose answers its log does not have.
    if (!before && after.steps > 1) return
    for (const [usageId, metrics] of Object.entries(after.usage_to_metrics)) {
      const sum = metrics.accumulated_token_usage
      const earlier = before?.usage_to_metrics[usageId]
      if (usageId === stepUsage || !sum) continue
      const usage = difference(sum, earlier?.accumulated_token_usage ?? null)
      if (usage.prompt_tokens + usage.completion_tokens <= 0) continue
      const cost = Math.max(0, (metrics.accumulated_cost ?? 0) - (earlier?.accumulated_cost ?? 0))
      this.#list(usageId, {
        costs: [{ model: sum.model, cost: cost === 0 && after.cost_unknown ? null : cost, timestamp: seconds }],
        response_latencies: [],
        token_usages: [usage],
      })
    }
  }

  #list(usageId: string, newest: Answers): void {
    const known = this.answersFor(usageId)
    this.#answers[usageId] = {
      costs: [...known.costs, ...newest.costs].slice(-MAX_ANSWERS),
      response_latencies: [...known.response_latencies, ...newest.response_latencies].slice(-MAX_ANSWERS),
      token_usages: [...known.token_usages, ...newest.token_usages].slice(-MAX_ANSWERS),
    }
  }
}

function remember(map: Map<string, string>, id: string, reason: string): void {
  const [oldest] = map.keys()
  if (map.size >= MAX_BLOCKED && oldest !== undefined) map.delete(oldest)
  map.set(id, reason)
}

function difference(sum: TokenUsage, before: TokenUsage | null): TokenUsage {
  return {
    ...sum,
    prompt_tokens: sum.prompt_tokens - (before?.prompt_tokens ?? 0),
    completion_tokens: sum.completion_tokens - (before?.completion_tokens ?? 0),
    cache_read_tokens: sum.cache_read_tokens - (before?.cache_read_tokens ?? 0),
    cache_write_tokens: sum.cache_write_tokens - (before?.cache_write_tokens ?? 0),
    reasoning_tokens: sum.reasoning_tokens - (before?.reasoning_tokens ?? 0),
  }
}
