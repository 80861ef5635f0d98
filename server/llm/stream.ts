import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { z } from 'zod'
import { randomToken } from '../ids.ts'
import { type Answer, AnswerFault, createAnswerReader } from './answer.ts'
import type { Complete, Completion, CompletionRequest, ModelChoice, ToolDefinition } from './completion.ts'
import { costOf, toTokenUsage } from './cost.ts'
import { toFailure } from './errors.ts'
import { toPrompt } from './messages.ts'
import { openModel, thinkingOptions } from './models.ts'
import { type ModelTarget, resolveModel } from './provider.ts'
import { DEFAULT_RETRY, type RetryOptions, withRetry } from './retry.ts'

export interface CompleteOptions {
  retry?: Partial<RetryOptions>
  /** A stream that says nothing for so long is given up. Local models may read a long prompt for minutes. */
  silenceMs?: number
  fetch?: typeof globalThis.fetch
}

const SILENCE_MS = 300_000

/**
 * Asks the chosen model, which is looked up anew for each answer, so that a changed key or model counts at once.
 *
 * A stream that breaks off is asked for again although parts of it went to `onDelta`: nothing has been carried out yet,
 * and `onRetry` tells that what was streamed is void.
 */
export function createComplete(choice: () => Promise<ModelChoice>, options: CompleteOptions = {}): Complete {
  const retry = { ...DEFAULT_RETRY, ...options.retry }
  return async request => {
    request.signal.throwIfAborted()
    const target = resolveModel(await choice())
    return withRetry(
      () => askOnce(target, request, options),
      thrown => toFailure(thrown, target),
      request,
      retry,
    )
  }
}

async function askOnce(target: ModelTarget, request: CompletionRequest, options: CompleteOptions): Promise<Completion> {
  const model = await openModel(target, options.fetch)
  const watch = watchSilence(request.signal, options.silenceMs ?? SILENCE_MS)
  const started = performance.now()
  const reader = createAnswerReader(target.provider.id, request.onDelta)
  try {
    const { stream, response } = await model.doStream(callOptions(target, request, watch.signal))
    const parts = stream.getReader()
    for (let next = await parts.read(); !next.done; next = await parts.read()) {
      watch.heard()
      reader.add(next.value)
    }
    return toCompletion(reader.end(), target, response?.headers, performance.now() - started)
  } catch (error) {
    request.signal.throwIfAborted()
    throw watch.signal.aborted ? watch.signal.reason : error
  } finally {
    watch.end()
  }
}

function callOptions(
  target: ModelTarget,
  { system, messages, tools }: CompletionRequest,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  return {
    prompt: toPrompt(system, messages, target.provider),
    ...(tools.length > 0 && { tools: tools.map(toFunctionTool), toolChoice: { type: 'auto' } }),
    providerOptions: thinkingOptions(target),
    abortSignal,
  }
}

function toFunctionTool({ name, description, parameters, inputSchema: given }: ToolDefinition) {
  const { $schema: _, ...inputSchema } = given ?? z.toJSONSchema(parameters, { target: 'draft-7', io: 'input' })
  return { type: 'function' as const, name, description, inputSchema: inputSchema as JSONSchema }
}
/** Zod's own output type is wider than the SDK's JSON Schema type, though it is one. */
type JSONSchema = Extract<NonNullable<LanguageModelV3CallOptions['tools']>[number], { type: 'function' }>['inputSchema']

/** Ends with the caller's signal, or by itself when nothing has been heard for too long. */
function watchSilence(signal: AbortSignal, silenceMs: number) {
  const controller = new AbortController()
  const seconds = Math.round(silenceMs / 1000)
  const giveUp = () => controller.abort(new AnswerFault('silent', `Nothing came for ${seconds} seconds.`))
  let timer = setTimeout(giveUp, silenceMs)
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    heard() {
      clearTimeout(timer)
      timer = setTimeout(giveUp, silenceMs)
    },
    /** Also drops a connection that is still open, after an error in the middle of a stream. */
    end() {
      clearTimeout(timer)
      controller.abort()
    },
  }
}

/** Some servers repeat their ids, but answers are told apart by them. */
function toCompletion(
  answer: Answer,
  target: ModelTarget,
  headers: Record<string, string> | undefined,
  latencyMs: number,
): Completion {
  const { id, usage, providerMetadata, ...content } = answer
  const responseId = `${id ?? target.provider.id}:${randomToken(6)}`
  return {
    ...content,
    responseId,
    usage: toTokenUsage(usage, target, responseId),
    cost: costOf(usage, target, headers),
    latencyMs: Math.round(latencyMs),
    ...(providerMetadata && { providerMetadata }),
  }
}
