import { stateUpdate } from '../../agent/answer.ts'
import type { RunOutcome } from '../../agent/run.ts'
import type { NewEvent } from '../../api/event/events.ts'
import type { EngineStatus } from '../../api/v1/system/system.ts'
import { timeLimit } from '../../async/time-limit.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { ActiveRun } from './active-run.ts'

/** What a run knows of the engine behind its sandbox. */
export interface EngineStatusSource {
  /** Counts the engines that were lost so far. */
  readonly losses: number
  recheck(): Promise<EngineStatus>
  /** Resolves when an engine answers. @throws the signal's reason */
  answers(signal: AbortSignal): Promise<void>
}

/** How long a run waits for an engine that went away, in minutes. */
const TIMEOUT_MINUTES = 30
/** Its sandbox may be found under another entry meanwhile, of which the one before says nothing. */
const LOOK_AGAIN_MS = 2000

/**
 * Runs an agent to its end. An engine that goes away under it is waited for: what was under way has its answer, and the
 * agent decides how to go on.
 * @param engine that the sandbox is on now: its engine may come to be known under another entry, or be removed
 */
export async function runWithEngineRecovery(
  attempt: () => Promise<RunOutcome>,
  active: Pick<ActiveRun, 'abort' | 'pauseRequested' | 'wait'>,
  { engine, record }: { engine: () => EngineStatusSource; record: (event: NewEvent) => void },
): Promise<RunOutcome> {
  for (;;) {
    const before = engine()
    const { losses } = before
    const end = await attempt()
    const { signal: stopped } = active.abort
    if (stopped.aborted || !(await hasLostEngine(end, { engine: before, losses }, engine()))) return end
    active.wait = new AbortController()
    if (active.pauseRequested) active.wait.abort()
    try {
      const isBack = await waitForEngine(engine, record, AbortSignal.any([stopped, active.wait.signal]))
      if (!isBack) return { kind: stopped.aborted ? 'interrupted' : 'paused' }
    } catch (error) {
      return { kind: 'failed', error }
    } finally {
      active.wait = undefined
    }
  }
}

/** Whether a run ended only because the engine went away under it. @param before as it was when the run began */
async function hasLostEngine(
  end: RunOutcome,
  before: { engine: EngineStatusSource; losses: number },
  engine: EngineStatusSource,
): Promise<boolean> {
  if (end.kind !== 'failed') return false
  if (isAppError(end.error, 'engine_unavailable')) return true
  if (!isAppError(end.error, 'sandbox_not_running')) return false
  // A command can notice before the connection does.
  await engine.recheck()
  return engine !== before.engine || engine.losses !== before.losses
}

/**
 * Waits until the engine answers, and says so in the log before and after.
 * @param signal ends the wait: a person stops or pauses the run
 * @returns false when the wait was ended @throws AppError engine_unavailable when it has taken too long
 */
async function waitForEngine(
  engineNow: () => EngineStatusSource,
  record: (event: NewEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const timeout = timeLimit(TIMEOUT_MINUTES * 60_000)
  record(stateUpdate('engine', { state: 'away' }))
  for (let before: EngineStatusSource | undefined; ; ) {
    const engine = engineNow()
    const round = timeLimit(LOOK_AGAIN_MS)
    try {
      if (engine !== before) await engine.recheck()
      before = engine
      await engine.answers(AbortSignal.any([signal, timeout, round]))
      record(stateUpdate('engine', { state: 'back' }))
      return true
    } catch (error) {
      if (signal.aborted) return false
      if (timeout.aborted) {
        const message = `The engine did not come back within ${TIMEOUT_MINUTES} minutes. Start it, then let the agent continue.`
        throw new AppError('engine_unavailable', message)
      }
      // It was closed, and nothing else has the sandbox.
      if (!round.aborted && engineNow() === engine) throw error
    }
  }
}
