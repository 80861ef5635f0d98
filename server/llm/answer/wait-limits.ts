import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { BOUNDS } from '../../domain/bounds.ts'
import type { CompletionRequest } from '../completion.ts'
import { AnswerFault } from './fault.ts'

/** Milliseconds; what is absent is as in the table of bounds. */
export interface WaitLimits {
  /** Nothing came for so long. */
  silenceMs: number
  /** In so long the answer has to grow by a little. */
  progressMs: number
  /** One answer, from its request to its end. */
  totalMs: number
  /** After so long the window shows that the model is silent. */
  noticeMs: number
}

export const DEFAULT_WAIT_LIMITS: WaitLimits = {
  silenceMs: BOUNDS.modelSilence.limit,
  progressMs: BOUNDS.modelProgress.limit,
  totalMs: BOUNDS.modelTotal.limit,
  noticeMs: 20_000,
}

/** Slow models on a processor write a word a second; what drips slower than this never ends. */
const PROGRESS_CHARACTERS = 100

interface WatchOptions {
  signal: AbortSignal
  /** Aborts when the computer falls asleep. */
  sleeps: AbortSignal
  limits: WaitLimits
  onSilence: CompletionRequest['onSilence']
}

/**
 * Watches one call to a model. Its signal ends with the caller's, or with an AnswerFault when the model is silent, drips or
 * finds no end.
 */
export function watchAnswer({ signal, sleeps, limits, onSilence }: WatchOptions) {
  const controller = new AbortController()
  const giveUp = (text: string) => controller.abort(new AnswerFault('silent', text))
  const { silenceMs, progressMs, totalMs, noticeMs } = limits
  let heardAt = Date.now()
  let noticed = false
  let grown = 0
  const askNow = () => controller.abort(new AnswerFault('repeat', 'The model was asked again.'))
  const fallAsleep = () => controller.abort(new AnswerFault('repeat', 'The computer was asleep.'))
  if (sleeps.aborted) fallAsleep()
  sleeps.addEventListener('abort', fallAsleep, { once: true })
  // Again and again, for those who come to look while the model is silent.
  const notice = setInterval(() => {
    noticed = true
    onSilence?.({ since: heardAt, askNow })
  }, noticeMs)
  const silence = setTimeout(() => giveUp(`Nothing came for ${seconds(silenceMs)}.`), silenceMs)
  const total = setTimeout(() => giveUp(`The answer had no end after ${seconds(totalMs)}.`), totalMs)
  const progress = setInterval(() => {
    if (grown < PROGRESS_CHARACTERS) giveUp(`The answer grew by ${grown} characters in ${seconds(progressMs)}.`)
    grown = 0
  }, progressMs)

  function spoken(): void {
    if (noticed) onSilence?.(null)
    noticed = false
  }

  function heard(part: LanguageModelV3StreamPart): void {
    heardAt = Date.now()
    notice.refresh()
    silence.refresh()
    grown += charactersOf(part)
    spoken()
  }

  /** Also drops a connection that is still open, after an error in the middle of a stream. */
  function end(): void {
    sleeps.removeEventListener('abort', fallAsleep)
    clearInterval(notice)
    clearTimeout(silence)
    clearTimeout(total)
    clearInterval(progress)
    spoken()
    controller.abort()
  }

  return { signal: AbortSignal.any([signal, controller.signal]), heard, end }
}

function charactersOf(part: LanguageModelV3StreamPart): number {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
      return part.delta.length
    // Encrypted thinking and whole calls come at once, after a long time.
    case 'reasoning-end':
    case 'tool-call':
      return PROGRESS_CHARACTERS
    default:
      return 0
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} seconds`
}
