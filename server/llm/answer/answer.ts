import { createHash } from 'node:crypto'
import type { LanguageModelV3StreamPart, LanguageModelV3Usage, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { BOUNDS } from '../../domain/bounds.ts'
import type { Completion, CompletionRequest, ReasoningPart, ToolCallPart } from '../completion.ts'
import { type OrderedPart, toMetadata } from '../prompt/part-order.ts'
import type { ModelTarget } from '../provider.ts'
import { createAnswerBounds } from './bounds.ts'
import { AnswerFault } from './fault.ts'
import { REASONING_DETAILS } from './reasoning-details.ts'

export interface Answer {
  id: string | undefined
  text: string
  reasoning: ReasoningPart[]
  toolCalls: ToolCallPart[]
  finishReason: Completion['finishReason']
  usage: LanguageModelV3Usage
  providerMetadata: Record<string, unknown> | undefined
}

type Draft =
  | { type: 'reasoning' | 'text'; key: string; text: string; metadata: SharedV3ProviderMetadata }
  | { type: 'tool-call'; call: ToolCallPart; metadata: SharedV3ProviderMetadata }

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>

/** Puts the parts of one stream together and passes text on as it comes. */
export function createAnswerReader(target: ModelTarget, onDelta: CompletionRequest['onDelta']) {
  const drafts: Draft[] = []
  const bounds = createAnswerBounds()
  let cut = false
  let id: string | undefined
  let finish: Finish | undefined

  /**
   * @returns false when the answer has to end here
   * @throws whatever error the stream carries; AnswerFault `too-large`
   */
  function add(part: LanguageModelV3StreamPart): boolean {
    const refused = bounds.count(part)
    if (refused) {
      const metadata = 'providerMetadata' in part ? part.providerMetadata : undefined
      const call = { ...refused, id: shortId(refused.id), name: shortName(refused.name) }
      drafts.push({ type: 'tool-call', call, metadata: { ...metadata } })
      cut = true
    } else keep(part)
    return !cut
  }

  function keep(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        drafts.push({ type: kindOf(part.type), key: part.id, text: '', metadata: { ...part.providerMetadata } })
        break
      case 'text-delta':
      case 'reasoning-delta':
        append(drafts, kindOf(part.type), part)
        if (part.delta) onDelta(part.type === 'text-delta' ? { text: part.delta } : { reasoning: part.delta })
        break
      case 'text-end':
      case 'reasoning-end':
        append(drafts, kindOf(part.type), { ...part, delta: '' })
        break
      case 'tool-call': {
        const call = { id: shortId(part.toolCallId), name: shortName(part.toolName), arguments: part.input }
        drafts.push({ type: 'tool-call', call, metadata: { ...part.providerMetadata } })
        break
      }
      case 'response-metadata':
        id = part.id === undefined ? id : shortId(part.id)
        break
      case 'finish':
        finish = part
        break
      case 'error':
        throw part.error
    }
  }

  /** @throws AnswerFault when the stream ended before the answer did */
  function end(): Answer {
    if (cut) return endedEarly(target, drafts, id)
    if (!finish) throw new AnswerFault('incomplete', 'The stream ended before the answer was complete.')
    assertWhole(finish, drafts.length === 0, target)
    return {
      id,
      ...assemble(target.provider.id, drafts, finish.providerMetadata),
      finishReason: finishReasonOf(finish, drafts),
      usage: finish.usage,
    }
  }

  return { add, end, isEmpty: () => drafts.length === 0 }
}

const { limit: MAX_NAME } = BOUNDS.modelName

/** Still one for each. */
function shortId(id: string): string {
  return id.length > MAX_NAME ? createHash('sha256').update(id).digest('hex') : id
}

function shortName(name: string): string {
  return name.slice(0, MAX_NAME)
}

/** An answer that was broken off: nobody says what it took. */
function endedEarly(target: ModelTarget, drafts: Draft[], id: string | undefined): Answer {
  const usage = { inputTokens: NOT_COUNTED, outputTokens: { total: undefined, text: undefined, reasoning: undefined } }
  return { id, ...assemble(target.provider.id, drafts, undefined), finishReason: 'too-large', usage }
}

const NOT_COUNTED = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }

/** In the place of an answer that was too large to be of use. */
export function emptyAnswer(target: ModelTarget): Answer {
  return endedEarly(target, [], undefined)
}

function kindOf(type: `${'text' | 'reasoning'}-${string}`): 'text' | 'reasoning' {
  return type.startsWith('text') ? 'text' : 'reasoning'
}

function append(
  drafts: Draft[],
  type: 'text' | 'reasoning',
  part: { id: string; delta: string; providerMetadata?: SharedV3ProviderMetadata },
): void {
  const draft = drafts.findLast(candidate => candidate.type === type && candidate.key === part.id)
  if (draft?.type !== type) return
  draft.text += part.delta
  for (const [name, fields] of Object.entries(part.providerMetadata ?? {})) {
    draft.metadata[name] = { ...draft.metadata[name], ...fields }
  }
}

/** @throws AnswerFault for an answer that is none */
function assertWhole(finish: Finish, empty: boolean, { wire }: ModelTarget): void {
  const { unified, raw } = finish.finishReason
  if (raw === 'MALFORMED_FUNCTION_CALL') {
    throw new AnswerFault('malformed-call', 'The model wrote a tool call that its own provider could not read.')
  }
  if (raw === 'model_context_window_exceeded') {
    throw new AnswerFault('too-long', 'The answer no longer fits into the context window.')
  }
  // Local servers end so when the prompt alone fills their window.
  if (empty && unified === 'length' && (finish.usage.outputTokens.total ?? 1) <= 1) {
    throw new AnswerFault('too-long', 'The prompt left no room for an answer.')
  }
  // Without the provider's own reason the SDK made the finish up, as the stream just ended; this wire alone has none.
  const broken = raw === undefined && (wire !== 'responses' || unified === 'other')
  if (!empty) {
    if (broken) throw new AnswerFault('incomplete', 'The stream ended before the answer was complete.')
    return
  }
  const google = finish.providerMetadata?.google
  const feedback = google?.promptFeedback
  if (unified === 'content-filter' || (feedback && typeof feedback === 'object' && 'blockReason' in feedback)) {
    throw new AnswerFault('blocked', 'The provider withheld the answer.')
  }
  if (broken) throw new AnswerFault('incomplete', 'The stream ended without an answer.')
}

function assemble(provider: string, drafts: Draft[], providerMetadata: Finish['providerMetadata']) {
  const layout: OrderedPart[] = []
  let text = ''
  const reasoning: ReasoningPart[] = []
  const toolCalls: ToolCallPart[] = []
  for (const draft of drafts) {
    const options = optionsOf(draft.metadata)
    const attached = options && { options }
    if (draft.type === 'tool-call') {
      toolCalls.push(draft.call)
      layout.push({ type: 'tool-call', id: draft.call.id, ...attached })
    } else if (draft.type === 'text') {
      text += draft.text
      layout.push({ type: 'text', length: draft.text.length, ...attached })
    } else {
      const signature = options?.anthropic?.signature
      if (draft.text) reasoning.push({ text: draft.text, ...(typeof signature === 'string' && { signature }) })
      layout.push({ type: 'reasoning', text: draft.text, ...attached })
    }
  }
  const details = providerMetadata?.[REASONING_DETAILS]
  const message = details && { openaiCompatible: details }
  return { text, reasoning, toolCalls, providerMetadata: toMetadata({ provider, parts: layout, message }) }
}

/** Gemini behind an OpenAI-compatible endpoint: the SDK reads the signature back under another name than it gives it. */
function optionsOf(metadata: SharedV3ProviderMetadata): SharedV3ProviderMetadata | undefined {
  const thoughtSignature = metadata.openaiCompatible?.thoughtSignature
  if (thoughtSignature !== undefined) return { google: { thoughtSignature } }
  return Object.keys(metadata).length > 0 ? metadata : undefined
}

/** Some servers say `stop` although they called tools. */
function finishReasonOf(finish: Finish, drafts: Draft[]): Completion['finishReason'] {
  const { unified } = finish.finishReason
  const called = drafts.some(draft => draft.type === 'tool-call')
  if (called && (unified === 'stop' || unified === 'other')) return 'tool-calls'
  return unified === 'error' ? 'other' : unified
}
