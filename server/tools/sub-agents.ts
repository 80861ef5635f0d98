import type { Action } from '../api/actions.ts'

type TaskAction = Extract<Action, { kind: 'TaskAction' }>

/** Does a piece of work in a conversation of its own. */
export interface SubAgents {
  /** Resolves when the sub-agent has ended, however it ended. Rejects with the signal's reason, or AppError. */
  run(
    task: Pick<TaskAction, 'prompt' | 'description' | 'resume'>,
    signal: AbortSignal,
  ): Promise<{ taskId: string; status: 'completed' | 'failed' | 'stopped'; report: string }>
}
