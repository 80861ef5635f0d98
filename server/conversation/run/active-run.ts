import type { ModelWait } from './model-wait.ts'
import type { RunLog } from './unstored-runs.ts'

/** A run that goes on. */
export interface ActiveRun {
  abort: AbortController
  /** Whether a person accepted the calls that are open. */
  accepted: boolean
  pauseRequested: boolean
  model: ModelWait
  /** While it waits for its engine: aborting ends the wait. */
  wait?: AbortController | undefined
  log: RunLog
  done: Promise<void>
}
