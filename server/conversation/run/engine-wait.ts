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

/**
 * Runs an agent to its end. An engine that goes away under it is waited for: what was under way has its answer, and the
 * agent decides how to go on.
 */
export async function runWithEngineRecovery(
  attempt: () => Promise<RunOutcome>,
  active: Pick<ActiveRun, 'abort' | 'pauseRequested' | 'wait'>,
  { engine, record }: { engine: EngineStatusSource; record: (event: NewEvent) => void },
): Promise<RunOutcome> {
  for (;;) {
    const { losses } = engine
    const end = await attempt()
    const { signal: stopped } = active.abort
    if (stopped.aborted || !(await hasLostEngine(end, losses, engine))) return end
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

/** Whether a run ended only because the engine went away under it. @param losses as they were when it began */
async function hasLostEngine(end: RunOutcome, losses: number, engine: EngineStatusSource): Promise<boolean> {
  if (end.kind !== 'failed') return false
  if (isAppError(end.error, 'engine_unavailable')) return true
  if (!isAppError(end.error, 'sandbox_not_running')) return false
  // A command can notice before the connection does.
  await engine.recheck()
  return engine.losses !== losses
}

/**
 * Waits until the engine answers, and says so in the log before and after.
 * @param signal ends the wait: a person stops or pauses the run
 * @returns false when the wait was ended @throws AppError engine_unavailable when it has taken too long
 */
async function waitForEngine(
  engine: EngineStatusSource,
  record: (event: NewEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const timeout = timeLimit(TIMEOUT_MINUTES * 60_000)
  record(stateUpdate('engine', { state: 'away' }))
  try {
    await engine.recheck()
    await engine.answers(AbortSignal.any([signal, timeout]))
  } catch {
    if (signal.aborted) return false
    const message = `The Docker engine did not come back within ${TIMEOUT_MINUTES} minutes. Start it, then let the agent continue.`
    throw new AppError('engine_unavailable', message)
  }
  record(stateUpdate('engine', { state: 'back' }))
  return true
}
