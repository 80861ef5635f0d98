import type { Action } from '../api/event/actions.ts'

type TaskAction = Extract<Action, { kind: 'TaskAction' }>

/** Does a piece of work in a conversation of its own. */
export interface SubAgents {
  /** The kinds that there are now, the one for any work first. */
  kinds(): readonly { name: string; description: string }[]
  /** Resolves when the sub-agent has ended, however it ended. Rejects with the signal's reason, or AppError. */
  run(
    task: Pick<TaskAction, 'prompt' | 'description' | 'resume' | 'subagent_type'>,
    signal: AbortSignal,
  ): Promise<{ taskId: string; status: 'completed' | 'failed' | 'stopped'; report: string }>
}
