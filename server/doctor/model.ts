import { z } from 'zod'
import { timeLimit } from '../async/time-limit.ts'
import { isAppError } from '../domain/errors.ts'
import { createComplete } from '../llm/answer/stream.ts'
import type { CompletionRequest, ModelChoice } from '../llm/completion.ts'
import { testModel } from '../llm/probe.ts'
import { resolveModel } from '../llm/provider.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SettingsService } from '../settings/service.ts'
import { shownAddress } from '../text/shown-address.ts'
import { type Check, type Found, factsOf } from './check.ts'

export interface ModelOptions {
  settings: Pick<SettingsService, 'modelChoice' | 'lacksModelKey' | 'read'>
  outbound: Pick<Outbound, 'fetch' | 'sleep'>
}

/** Whether a model can be asked; sends nothing. */
export const modelCheck =
  ({ settings }: ModelOptions): Check =>
  async () => {
    const { llm_model, llm_base_url } = settings.read()
    const facts = factsOf({ model_name: llm_model, address: llm_base_url && shownAddress(llm_base_url) })
    try {
      return (await settings.lacksModelKey())
        ? { state: 'problem', finding: 'model_key_missing', facts, action: 'choose_model' }
        : { state: 'ok', finding: 'model_chosen', facts }
    } catch (error) {
      if (!isAppError(error)) throw error
      if (error.code === 'model_not_set') return NOT_SET
      if (error.code.startsWith('keychain_')) return { state: 'unknown', finding: 'model_key_unknown', facts }
      return failedModel(error, facts)
    }
  }

const NOT_SET: Found = { state: 'problem', finding: 'model_not_set', action: 'choose_model' }

/** Asks it: whether it answers, then whether it calls a tool and sees an image. */
export const modelQuestions =
  ({ settings, outbound }: ModelOptions): Check =>
  async signal => {
    const choice = await settings.modelChoice(null).catch(error => {
      if (isAppError(error, 'model_not_set')) return null
      throw error
    })
    if (!choice) return NOT_SET
    const facts = factsOf({ model_name: choice.model, address: addressOf(choice) })
    const answer = await testModel(choice, { outbound, signal })
    if (!answer.ok) return failedModel(answer, facts)
    const ask = (request: Pick<CompletionRequest, 'messages' | 'tools'>) => askOnce(choice, request, outbound, signal)
    const [calls, sees] = await Promise.all([ask(TOOL_QUESTION), ask(IMAGE_QUESTION)])
    const callsTools = calls?.toolCalls.some(({ name }) => name === TOOL) ?? false
    const more = factsOf({
      latency: Math.round(answer.latency_ms),
      tool_calls: callsTools ? 'yes' : 'no',
      images: sees && /\bred\b/i.test(sees.text) ? 'yes' : 'no',
    })
    return callsTools
      ? { state: 'ok', finding: 'model_answers', facts: [...facts, ...more] }
      : { state: 'problem', finding: 'model_without_tools', facts: [...facts, ...more], action: 'choose_model' }
  }

function failedModel({ code, message }: { code: string; message: string }, facts: Found['facts'] = []): Found {
  const more = factsOf({ error: code, reason: message })
  return { state: 'problem', finding: 'model_failed', facts: [...facts, ...more], action: 'choose_model' }
}

function addressOf(choice: ModelChoice): string | null {
  try {
    return shownAddress(resolveModel(choice).baseUrl)
  } catch {
    return null
  }
}

const QUESTION_MS = 20_000

/** null when the model refused the question, or took too long. @throws the signal's reason */
async function askOnce(
  choice: ModelChoice,
  { messages, tools }: Pick<CompletionRequest, 'messages' | 'tools'>,
  outbound: Pick<Outbound, 'fetch' | 'sleep'>,
  signal: AbortSignal,
) {
  const complete = createComplete(async () => choice, { outbound, retry: { attempts: 1 } })
  const limited = AbortSignal.any([signal, timeLimit(QUESTION_MS)])
  const system = 'Do what you are asked, and nothing else.'
  try {
    return await complete({ system, messages, tools, signal: limited, onDelta: () => {}, onRetry: () => {} })
  } catch {
    signal.throwIfAborted()
    return null
  }
}

const TOOL = 'report_ready'

const TOOL_QUESTION: Pick<CompletionRequest, 'messages' | 'tools'> = {
  messages: [{ role: 'user', content: [{ type: 'text', text: `Call the tool ${TOOL} once.` }] }],
  tools: [{ name: TOOL, description: 'Reports that you are ready.', parameters: z.object({ ready: z.boolean() }) }],
}

/** 64 by 64 pixels, all red. */
const RED_IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsKZeS0BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEDgsqnc8OJg6Ln3AAAAAElFTkSuQmCC'

const IMAGE_QUESTION: Pick<CompletionRequest, 'messages' | 'tools'> = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Which colour is this image? Answer with one word in English.' },
        { type: 'image', url: RED_IMAGE },
      ],
    },
  ],
  tools: [],
}
