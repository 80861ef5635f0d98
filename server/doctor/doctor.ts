import type { Diagnosis, DiagnosisCheck, DiagnosisFact } from '../api/v1/system/diagnosis.ts'
import { DIAGNOSIS_FINDINGS } from '../api/v1/system/diagnosis-words.ts'
import { timeLimit } from '../async/time-limit.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import { isAppError, messageOf } from '../domain/errors.ts'
import { clipEnd } from '../text/clip.ts'
import { type Check, type Found, factsOf } from './check.ts'

const LIMIT_MS = 10_000
/** Three questions, of 20 seconds each at most. */
const MODEL_LIMIT_MS = 65_000
const MAX_FACTS = 20
const MAX_FACT_CHARACTERS = 500

export interface DoctorOptions {
  checks: Readonly<Record<DiagnosisCheck, Check>>
  /** Asks the model, which costs something. */
  askModel: Check
  /** Hides secrets in what comes from elsewhere. */
  mask(text: string): string
}

/** Looks at what Atelier stands on. A check never takes longer than its limit, whatever it waits for. */
export class Doctor {
  readonly #options: DoctorOptions

  constructor(options: DoctorOptions) {
    this.#options = options
  }

  /** @throws the signal's reason, and nothing else */
  run(check: DiagnosisCheck, signal: AbortSignal): Promise<Diagnosis> {
    return this.#examine(check, this.#options.checks[check], { signal, limitMs: LIMIT_MS })
  }

  /** @throws the signal's reason, and nothing else */
  askModel(signal: AbortSignal): Promise<Diagnosis> {
    return this.#examine('model', this.#options.askModel, { signal, limitMs: MODEL_LIMIT_MS })
  }

  async #examine(
    check: DiagnosisCheck,
    look: Check,
    { signal, limitMs }: { signal: AbortSignal; limitMs: number },
  ): Promise<Diagnosis> {
    const start = performance.now()
    const limit = timeLimit(limitMs)
    const both = AbortSignal.any([signal, limit])
    const found = await unlessAborted((async () => look(both))(), both).catch((error: unknown): Found => {
      signal.throwIfAborted()
      return limit.aborted ? { state: 'unknown', finding: 'timed_out' } : failed(error)
    })
    const { state, finding, facts = [], action = null, steps = [] } = found
    return {
      check,
      state,
      finding,
      message: DIAGNOSIS_FINDINGS[finding],
      facts: facts.slice(0, MAX_FACTS).map(fact => this.#shown(fact)),
      action,
      steps: steps.map(step => ({ ...step })),
      duration_ms: Math.round(performance.now() - start),
    }
  }

  /** What an engine or a model says may hold anything. */
  #shown({ name, value }: DiagnosisFact): DiagnosisFact {
    if (typeof value === 'number') return { name, value }
    return { name, value: clipEnd(this.#options.mask(value).replace(/\p{Cc}+/gu, ' '), MAX_FACT_CHARACTERS) }
  }
}

function failed(error: unknown): Found {
  if (isAppError(error, 'engine_unavailable')) return { state: 'skipped', finding: 'needs_engine' }
  return { state: 'unknown', finding: 'check_failed', facts: factsOf({ reason: messageOf(error) }) }
}
