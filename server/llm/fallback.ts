import type { ErrorCode } from '../api/contract/failures.ts'
import { AppError } from '../domain/errors.ts'
import type { Completion, CompletionRequest, ModelChoice } from './completion.ts'

interface Pair {
  chosen: ModelChoice
  fallback: ModelChoice
  /** Whether the chosen one was down a short while ago: then the fallback is asked first. */
  resting: boolean
}

/** Asks the chosen model and, while that is down, the fallback; `setDown` hears when it is. */
export async function askWithFallback(
  pair: Pair,
  ask: (choice: ModelChoice) => Promise<Completion>,
  request: Pick<CompletionRequest, 'signal' | 'onFallback'>,
  setDown: () => void,
): Promise<Completion> {
  const { chosen, fallback, resting } = pair
  const turnTo = (reason: string) => {
    request.onFallback?.({ from: chosen.model, to: fallback.model, reason })
    return attempt(() => ask(fallback), request.signal)
  }
  const resort = resting ? await turnTo(`${chosen.model} was down a short while ago.`) : null
  if (resort?.answer) return resort.answer
  const first = await attempt(() => ask(chosen), request.signal)
  if (first.answer) return first.answer
  if (!UNAVAILABLE_CODES.has(first.error.code)) throw first.error
  setDown()
  const second = resort ?? (await turnTo(first.error.message))
  if (second.answer) return second.answer
  throw second.error.code === 'llm_context_exceeded' ? second.error : bothFailed(first.error, second.error, fallback)
}

/** Down, as opposed to not allowed, not paid for or wrongly asked: people have to hear of those. */
const UNAVAILABLE_CODES: ReadonlySet<ErrorCode> = new Set(['llm_unreachable', 'llm_failed', 'llm_rate_limited'])

type Outcome = { answer: Completion; error?: never } | { answer?: never; error: AppError }

async function attempt(ask: () => Promise<Completion>, signal: AbortSignal): Promise<Outcome> {
  try {
    return { answer: await ask() }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) return { error }
    throw error
  }
}

function bothFailed(first: AppError, second: AppError, fallback: ModelChoice): AppError {
  return new AppError(first.code, `${first.message} The fallback ${fallback.model} failed too: ${second.message}`, {
    details: { ...first.details, fallback: { model: fallback.model, code: second.code, ...second.details } },
    cause: first,
  })
}
