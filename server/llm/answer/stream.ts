import { isAppError } from '../../domain/errors.ts'
import { type AskOptions, askModel } from '../ask-model.ts'
import type { Complete, Completion, CompletionRequest, ModelChoice, ToolDefinition } from '../completion.ts'
import { collectErrorEvidence } from '../error-evidence.ts'
import { toFailure } from '../errors.ts'
import { askWithFallback } from '../fallback.ts'
import { retryOf } from '../options.ts'
import { type JsonSchema, schemaOf } from '../prompt/tools.ts'
import { type ModelTarget, resolveModel } from '../provider.ts'
import { LearnedProfiles, profileAfter, type RequestProfile } from '../request-profile.ts'
import { DEFAULT_RETRY, type RetryOptions, withRetry } from '../retry.ts'

export interface CompleteOptions extends AskOptions {
  retry?: Partial<RetryOptions>
  /** The model to ask while the chosen one is down; null when there is none. */
  fallback?: (chosen: ModelChoice) => Promise<ModelChoice | null>
  /** Shared by everything that asks models. */
  memory?: ModelMemory
}

/** What is known of models beyond one answer; it lives as long as the service. */
export class ModelMemory {
  readonly profiles = new LearnedProfiles()
  readonly #downUntil = new Map<string, number>()
  readonly #schemas = new WeakMap<ToolDefinition['parameters'], JsonSchema>()

  isDown({ baseUrl, model }: ModelTarget): boolean {
    return (this.#downUntil.get(`${baseUrl} ${model}`) ?? 0) > performance.now()
  }

  /** With their JSON schemas, which are made once: every step is asked with the same tools. */
  describe(tools: readonly ToolDefinition[]): ToolDefinition[] {
    return tools.map(({ name, description, parameters, inputSchema }) => {
      const known = inputSchema ?? this.#schemas.get(parameters)
      const schema = known ?? schemaOf({ name, description, parameters })
      if (!known) this.#schemas.set(parameters, schema)
      return { name, description, parameters, inputSchema: schema }
    })
  }

  setDown({ baseUrl, model }: ModelTarget): void {
    this.#downUntil.set(`${baseUrl} ${model}`, performance.now() + DOWN_MS)
  }
}

/** So long the fallback is asked at once, instead of after all the retries in each step anew. */
const DOWN_MS = 300_000

/**
 * Asks the chosen model, which is looked up anew for each answer, so that a changed key or model counts at once. When it
 * is down after all retries, the fallback is asked, which `onFallback` tells.
 *
 * A stream that breaks off is asked for again although parts of it went to `onDelta`: nothing has been carried out yet,
 * and `onVoid` says so.
 */
export function createComplete(choice: () => Promise<ModelChoice>, options: CompleteOptions): Complete {
  const memory = options.memory ?? new ModelMemory()
  return async asked => {
    asked.signal.throwIfAborted()
    const request = { ...withVoid(asked), tools: memory.describe(asked.tools) }
    const chosen = await choice()
    const target = resolveModel(chosen)
    const fallback = options.fallback ? await options.fallback(chosen) : null
    if (!fallback) return askWithRetries(target, request, options, memory)
    return askWithFallback(
      { chosen, fallback, resting: memory.isDown(target) },
      async one => askWithRetries(resolveModel(one), request, options, memory),
      request,
      () => memory.setDown(target),
    )
  }
}

interface VoidableRequest extends CompletionRequest {
  /** Before each call of a model. */
  begins(): void
}

function withVoid(asked: CompletionRequest): VoidableRequest {
  let hasSpoken = false
  return {
    ...asked,
    onDelta: delta => {
      hasSpoken = true
      asked.onDelta(delta)
    },
    begins: () => {
      if (hasSpoken) asked.onVoid?.()
      hasSpoken = false
    },
  }
}

function askWithRetries(
  target: ModelTarget,
  request: VoidableRequest,
  options: CompleteOptions,
  memory: ModelMemory,
): Promise<Completion> {
  return withRetry(
    () => askWithProfile(target, request, options, memory),
    thrown => toFailure(thrown, target),
    request,
    { ...DEFAULT_RETRY, ...retryOf(target.options), ...options.retry },
  )
}

/** Leaves out what the server refuses, one thing after the other, and remembers it when that was what helped. */
async function askWithProfile(
  target: ModelTarget,
  request: VoidableRequest,
  options: CompleteOptions,
  { profiles }: ModelMemory,
): Promise<Completion> {
  let profile = profiles.of(target)
  let learned: RequestProfile | null = null
  for (;;) {
    request.begins()
    try {
      const completion = await askModel(target, request, profile, options)
      if (learned) profiles.learn(target, learned)
      return completion
    } catch (error) {
      request.signal.throwIfAborted()
      const next = isAppError(error)
        ? null
        : profileAfter(collectErrorEvidence(error, target), profile, request, target.options)
      if (!next) throw error
      profile = next.profile
      if (next.lasting) learned = profile
    }
  }
}
