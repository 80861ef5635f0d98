import type { TransientEvent } from '../../api/event/frames.ts'
import { AppError } from '../../domain/errors.ts'
import { modelSilence } from '../../event/stream-events.ts'
import type { Retry, Silence } from '../../llm/completion.ts'

/** @param wait of the run that goes on, if one does @throws AppError not_waiting */
export function askNow(wait: ModelWait | undefined): void {
  if (wait?.askNow()) return
  throw new AppError('not_waiting', 'The model is at work or was not asked, so there is nothing to ask again.')
}

/** What a run waits for while its model is silent or away, and how a person ends the wait. */
export class ModelWait {
  readonly #publish: (event: TransientEvent) => void
  #wait: { askNow: () => void; until: number } | null = null

  constructor(publish: (event: TransientEvent) => void) {
    this.#publish = publish
  }

  readonly onSilence = (silence: Silence | null): void => {
    this.#wait = silence && { askNow: silence.askNow, until: Number.POSITIVE_INFINITY }
    this.#publish(modelSilence(silence))
  }

  /** @param tell gets what of a retry is for the log */
  onRetry(tell: (value: { attempt: number; delay_ms: number; reason: string }) => void): (retry: Retry) => void {
    return ({ attempt, delayMs, reason, askNow }) => {
      this.#wait = { askNow, until: Date.now() + delayMs }
      tell({ attempt, delay_ms: delayMs, reason })
    }
  }

  /** @returns false when nothing is waited for */
  askNow(): boolean {
    const wait = this.#wait
    this.#wait = null
    if (!wait || wait.until <= Date.now()) return false
    wait.askNow()
    return true
  }
}
