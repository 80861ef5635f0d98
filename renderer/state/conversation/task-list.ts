import type { TaskItem } from '../../../server/api/event/actions.ts'
import type { Event } from '../../../server/api/event/events.ts'
import { activeEvents } from './branch.ts'

/** The newest task list of the agent; null as long as it has made none, or none that is loaded. */
export function tasksOf(events: readonly Event[]): readonly TaskItem[] | null {
  const newest = activeEvents(events).findLast(
    event => event.kind === 'ObservationEvent' && event.observation.kind === 'TaskTrackerObservation',
  )
  if (newest?.kind !== 'ObservationEvent' || newest.observation.kind !== 'TaskTrackerObservation') return null
  return newest.observation.task_list
}

export function doneCount(tasks: readonly TaskItem[]): number {
  return tasks.filter(({ status }) => status === 'done').length
}
