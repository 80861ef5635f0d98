import {
  type Diagnosis,
  type DiagnosisCheck,
  type DiagnosisFact,
  type DiagnosisFinding,
  ENGINE_CHECKS,
  type EngineCheck,
} from '../api/v1/system/diagnosis.ts'
import { DIAGNOSIS_FINDINGS } from '../api/v1/system/diagnosis-words.ts'
import { timeLimit } from '../async/time-limit.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import { isAppError, messageOf } from '../domain/errors.ts'
import { clipEnd } from '../text/clip.ts'
import { type Check, type Found, factsOf } from './check.ts'
import { repairSteps } from './repairs.ts'

const LIMIT_MS = 10_000
/** Three questions, of 20 seconds each at most. */
const MODEL_LIMIT_MS = 65_000
const MAX_FACTS = 20
const MAX_FACT_CHARACTERS = 500

export type EngineChecks = Readonly<Record<EngineCheck, Check>>

export interface DoctorOptions {
  checks: Readonly<Record<Exclude<DiagnosisCheck, EngineCheck>, Check>>
  /** @throws AppError not_found */
  engineChecks(engineId: string): EngineChecks
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

  /**
   * @param asked `engineId` is of what one of the engine's own checks looks at
   * @throws AppError not_found for an engine that there is not, the signal's reason
   */
  async run(
    check: DiagnosisCheck,
    { engineId, signal }: { engineId: string; signal: AbortSignal },
  ): Promise<Diagnosis> {
    const limits = { signal, limitMs: LIMIT_MS }
    if (!isEngineCheck(check)) return this.#examine({ check, engineId: null }, this.#options.checks[check], limits)
    return this.#examine({ check, engineId }, this.#options.engineChecks(engineId)[check], limits)
  }

  /** @throws the signal's reason, and nothing else */
  askModel(signal: AbortSignal): Promise<Diagnosis> {
    return this.#examine({ check: 'model', engineId: null }, this.#options.askModel, {
      signal,
      limitMs: MODEL_LIMIT_MS,
    })
  }

  async #examine(
    { check, engineId }: { check: DiagnosisCheck; engineId: string | null },
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
    const { state, finding, facts = [], action = AGAIN.has(finding) ? 'check_again' : null } = found
    const steps = found.steps ?? repairSteps(finding, process.platform)
    return {
      check,
      engine_id: engineId,
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

function isEngineCheck(check: DiagnosisCheck): check is EngineCheck {
  return (ENGINE_CHECKS as readonly string[]).includes(check)
}

/** Another time it may be otherwise. */
const AGAIN: ReadonlySet<DiagnosisFinding> = new Set<DiagnosisFinding>(['timed_out', 'check_failed', 'disk_unknown'])

function failed(error: unknown): Found {
  if (isAppError(error, 'engine_unavailable')) return { state: 'skipped', finding: 'needs_engine' }
  return { state: 'unknown', finding: 'check_failed', facts: factsOf({ reason: messageOf(error) }) }
}
