import {
  type AppConversationStartTask,
  START_TASK_STATUSES,
  type StartStep,
  type StartTaskStatus,
} from '../../../server/api/v1/conversation/starts.ts'

export interface ShownStep {
  status: StartTaskStatus
  phase: 'waiting' | 'going' | 'done' | 'failed'
  /** How long it took, or has taken; null before it begins. */
  startedAt: number | null
  finishedAt: number | null
  detail: string | null
  progress: StartStep['progress']
}

const STEPS: readonly StartTaskStatus[] = START_TASK_STATUSES.filter(
  status => status !== 'WORKING' && status !== 'READY' && status !== 'ERROR',
)

/** Steps that most starts have nothing to do in; they show when they take time, say something or fail. */
const MINOR = new Set<StartTaskStatus>(['PREPARING_REPOSITORY', 'RUNNING_SETUP_SCRIPT', 'SETTING_UP_GIT_HOOKS'])
const WORTH_SHOWING_MS = 200

/** Every step that matters in this start, in order: what was done, what goes on, what is still to come. */
export function shownSteps(task: AppConversationStartTask): ShownStep[] {
  const failed = task.status === 'ERROR'
  const last = task.steps.findLast(step => STEPS.includes(step.status))
  return STEPS.map(status => {
    const step = task.steps.find(one => one.status === status)
    if (!step)
      return { status, phase: 'waiting', startedAt: null, finishedAt: null, detail: null, progress: null } as const
    const finishedAt = step.finished_at ? Date.parse(step.finished_at) : failed ? Date.parse(task.updated_at) : null
    const phase = failed && step === last ? 'failed' : finishedAt === null ? 'going' : 'done'
    return { ...step, phase, startedAt: Date.parse(step.started_at), finishedAt } as const
  }).filter(step => isShown(step, task))
}

function isShown({ status, phase, startedAt, finishedAt, detail }: ShownStep, task: AppConversationStartTask): boolean {
  if (!MINOR.has(status)) return phase !== 'waiting' || task.status !== 'ERROR'
  if (status === 'PREPARING_REPOSITORY' && task.request.selected_repository) return true
  if (phase === 'going' || phase === 'failed') return true
  const took = startedAt === null || finishedAt === null ? 0 : finishedAt - startedAt
  return phase === 'done' && (detail !== null || took >= WORTH_SHOWING_MS)
}

/** The whole start until now, or until it ended. */
export function startDuration(task: AppConversationStartTask, now: number): number {
  const ended = task.status === 'READY' || task.status === 'ERROR'
  return (ended ? Date.parse(task.updated_at) : now) - Date.parse(task.created_at)
}
