import { setTimeout } from 'node:timers/promises'
import type { Event } from '../api/event/events.ts'
import { AppError } from '../domain/errors.ts'
import type { Complete, Completion, CompletionRequest } from '../llm/completion.ts'
import type { RecordedAnswer } from './trajectory.ts'

const MODEL = 'replay'

/**
 * A model that gives recorded answers. How far it is stands in the log (the response ids of the answers that were
 * stored), so a replay goes on after a restart where it was. After the last answer `afterwards` takes over.
 */
export function createReplay(
  answers: readonly RecordedAnswer[],
  options: { events: readonly Event[]; paceMs: number; afterwards: Complete | null },
): Complete {
  return async request => {
    const index = countStoredAnswers(options.events)
    const answer = answers[index]
    if (!answer) {
      if (options.afterwards) return options.afterwards(request)
      throw new AppError(
        'model_not_set',
        'The replay has ended and no model is set up. Choose one in Settings to go on.',
      )
    }
    const startedAt = Date.now()
    await streamText(answer.text, options.paceMs, request)
    return toCompletion(answer, `${MODEL}-${index}`, Date.now() - startedAt)
  }
}

function countStoredAnswers(events: readonly Event[]): number {
  const ids = events.flatMap(event =>
    (event.kind === 'ActionEvent' || event.kind === 'MessageEvent') && event.llm_response_id?.startsWith(`${MODEL}-`)
      ? [event.llm_response_id]
      : [],
  )
  return new Set(ids).size
}

/** Streams the text word by word over about `paceMs`, so that a person can follow. */
async function streamText(text: string, paceMs: number, request: CompletionRequest): Promise<void> {
  const words = text.split(/(?<=\s)/)
  for (const word of words) {
    request.signal.throwIfAborted()
    if (word) request.onDelta({ text: word })
    if (paceMs > 0) await setTimeout(paceMs / words.length, undefined, { signal: request.signal })
  }
}

function toCompletion(answer: RecordedAnswer, responseId: string, latencyMs: number): Completion {
  const usage = {
    model: MODEL,
    prompt_tokens: 0,
    completion_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    context_window: 0,
    per_turn_token: 0,
    response_id: responseId,
  }
  return {
    responseId,
    text: answer.text,
    reasoning: [],
    toolCalls: answer.toolCalls.map((call, index) => ({ ...call, id: `${responseId}-${index}` })),
    usage,
    cost: 0,
    latencyMs,
    finishReason: answer.toolCalls.length > 0 ? 'tool-calls' : 'stop',
  }
}
