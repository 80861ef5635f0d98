import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { BOUNDS } from '../domain/bounds.ts'
import { randomToken } from '../domain/ids.ts'
import { ANSWER_LIMITS } from '../outbound/limits.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { outboundErrorIn } from '../outbound/problem.ts'
import { type Answer, createAnswerReader, emptyAnswer } from './answer/answer.ts'
import { applyProfile } from './answer/apply-profile.ts'
import { AnswerFault } from './answer/fault.ts'
import { createThinkSplitter } from './answer/think-tags.ts'
import { askWhole, isWhole } from './answer/unstreamed.ts'
import { DEFAULT_WAIT_LIMITS, type WaitLimits, watchAnswer } from './answer/wait-limits.ts'
import type { Completion, CompletionRequest, ToolDefinition } from './completion.ts'
import { costOf, toTokenUsage } from './cost.ts'
import { gatherDeltas } from './gathered-deltas.ts'
import { openModel } from './models.ts'
import { clippedMessages, effectiveProfile, outputTokens, samplingOf, waitLimitsOf } from './options.ts'
import { Pace } from './pace.ts'
import { createMarkupFilter, readPromptCalls } from './prompt/calls.ts'
import { toPrompt } from './prompt/prompt.ts'
import { STOP_SEQUENCE, schemaOf } from './prompt/tools.ts'
import type { ModelTarget } from './provider.ts'
import { providerOptions } from './provider-options.ts'
import type { RequestProfile } from './request-profile.ts'

export interface AskOptions {
  limits?: Partial<WaitLimits>
  outbound: Pick<Outbound, 'fetch' | 'sleep'>
}

/** One request and its answer. @throws whatever went wrong, not yet named; the signal's reason when aborted */
export async function askModel(
  target: ModelTarget,
  asked: CompletionRequest,
  learned: RequestProfile,
  options: AskOptions,
): Promise<Completion> {
  const profile = effectiveProfile(learned, target)
  const fetch = options.outbound.fetch({ namedBy: target.namedBy, limits: ANSWER_LIMITS.model })
  const model = await openModel(target, profile, fetch)
  const request = applyProfile({ ...asked, messages: clippedMessages(asked.messages, target.options) }, profile)
  const inText = asked.tools.length > 0 && request.tools.length === 0
  const streams = !profile.without.has('streaming')
  const watch = watchAnswer({
    signal: asked.signal,
    sleeps: await options.outbound.sleep.awake(asked.signal),
    limits: {
      ...DEFAULT_WAIT_LIMITS,
      ...(!streams && { silenceMs: BOUNDS.modelWhole.limit }),
      ...waitLimitsOf(target.options),
      ...options.limits,
    },
    onSilence: asked.onSilence,
  })
  let headers: Record<string, string> | undefined
  const started = performance.now()
  const pace = new Pace()
  const gathered = gatherDeltas(asked.onDelta)
  const hear = hearing(gathered.add, inText)
  const reader = createAnswerReader(target, hear.onDelta)
  const split = target.wire === 'openai' ? createThinkSplitter() : (part: LanguageModelV3StreamPart) => [part]
  try {
    const call = callOptions(target, request, profile, inText, watch.signal)
    const reply = await (streams ? askStream(model, call) : askWhole(model, call))
    headers = reply.headers
    for await (const next of reply.parts) {
      watch.heard(next)
      if (!split(next).every(reader.add)) break
      if (pace.due()) await pace.rest()
      watch.signal.throwIfAborted()
    }
    const answer = reader.end()
    hear.end()
    const read = inText ? withoutPartOrder(readPromptCalls(answer, asked.tools)) : answer
    return toCompletion(read, target, headers, performance.now() - started)
  } catch (error) {
    asked.signal.throwIfAborted()
    if (watch.signal.aborted) throw watch.signal.reason
    if (isTooLarge(error)) return toCompletion(emptyAnswer(target), target, headers, performance.now() - started)
    const unstreamed = streams && reader.isEmpty() && isWhole(headers)
    throw unstreamed ? new AnswerFault('unstreamed', 'The server does not stream its answers.') : error
  } finally {
    gathered.end()
    watch.end()
  }
}

async function askStream(model: LanguageModelV3, options: LanguageModelV3CallOptions) {
  const { stream, response } = await model.doStream(options)
  return { parts: partsOf(stream.getReader()), headers: response?.headers }
}

async function* partsOf(reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>) {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}

/** Calls that are written as text are not shown as such. */
function hearing(onDelta: CompletionRequest['onDelta'], inText: boolean) {
  if (!inText) return { onDelta, end: () => {} }
  const filter = createMarkupFilter(text => onDelta({ text }))
  const heard: CompletionRequest['onDelta'] = ({ text, reasoning }) => {
    if (reasoning) onDelta({ reasoning })
    if (text) filter.push(text)
  }
  return { onDelta: heard, end: () => filter.end() }
}

/** The layout is that of the text with its calls in it. */
function withoutPartOrder(answer: Answer): Answer {
  return { ...answer, providerMetadata: undefined }
}

function callOptions(
  target: ModelTarget,
  request: CompletionRequest,
  profile: RequestProfile,
  inText: boolean,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  const { tools } = request
  return {
    prompt: toPrompt(request, target, profile),
    ...(tools.length > 0 && { tools: tools.map(toFunctionTool), toolChoice: { type: 'auto' } }),
    ...(inText && !profile.without.has('stop-word') && { stopSequences: [STOP_SEQUENCE] }),
    ...outputTokens(target, profile),
    ...samplingOf(target, profile),
    providerOptions: providerOptions(target, request, profile),
    abortSignal,
  }
}

function toFunctionTool(tool: ToolDefinition) {
  const { name, description } = tool
  return { type: 'function' as const, name, description, inputSchema: schemaOf(tool) as JSONSchema }
}
/** Zod's own output type is wider than the SDK's JSON Schema type, though it is one. */
type JSONSchema = Extract<NonNullable<LanguageModelV3CallOptions['tools']>[number], { type: 'function' }>['inputSchema']

/** Counted by us, or by the bytes on the way. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof AnswerFault) return error.kind === 'too-large'
  return outboundErrorIn(error)?.problem === 'too-large'
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
    ...(target.options.usage_id && { usageId: target.options.usage_id }),
    ...(providerMetadata && { providerMetadata }),
  }
}
