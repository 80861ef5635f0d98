import { z } from 'zod'
import {
  type Action,
  TASK_STATUSES,
  TASK_TRACKER_COMMANDS,
  type TaskItem,
  taskTrackerAction,
} from '../api/event/actions.ts'
import type { Event } from '../api/event/events.ts'
import type { Observation } from '../api/event/observations.ts'
import { type Tool, type ToolHost, text } from './tool.ts'

type TaskTrackerAction = Extract<Action, { kind: 'TaskTrackerAction' }>
type TaskTrackerObservation = Extract<Observation, { kind: 'TaskTrackerObservation' }>

const DESCRIPTION = `Keep the list of what is to be done in this conversation. The user watches it; you find it again after a long work.

* plan: replaces the whole list by task_list. Send every task each time, also those that are done.
* view: shows the list.

Use it when the request needs several steps that differ, or when the user asks for several things; not for what is done in one or two calls. Write the list before you start, keep exactly one task in_progress, mark it done as soon as it is done and checked, and add what turns up on the way. Do not mark done what failed or is only half there.`

const parameters = z.object({
  command: z.enum(TASK_TRACKER_COMMANDS).describe('plan: write the list. view: show it.'),
  task_list: z
    .array(
      z.object({
        title: z.string().describe('What is to be done, in a few words.'),
        notes: z.string().optional().describe('What matters for it: findings, decisions, what is left.'),
        status: z.enum(TASK_STATUSES).optional().describe('todo (default), in_progress or done.'),
      }),
    )
    .optional()
    .describe('For plan: the whole list, in the order of the work.'),
})

/** The list is the newest one in the log, so that it is there after a restart and right on every branch. */
export function createTaskTracker(host: ToolHost): Tool<TaskTrackerAction> {
  return {
    name: 'task_tracker',
    description: DESCRIPTION,
    parameters,
    readOnly: true,
    toAction: given => taskTrackerAction.parse({ kind: 'TaskTrackerAction', ...parameters.parse(given) }),
    run: action => (action.command === 'plan' ? plan(action, host) : view(host)),
    close: async () => {},
  }
}

async function plan({ task_list }: TaskTrackerAction, host: ToolHost): Promise<TaskTrackerObservation> {
  const before = currentTasks((await host.events?.()) ?? [])
  if (task_list.length === 0 && before.length === 0) {
    return observation('plan', before, 'Parameter `task_list` is required for command: plan.', true)
  }
  const untitled = task_list.findIndex(task => task.title.trim() === '')
  if (untitled >= 0) {
    const told = `Task ${untitled + 1} has no title. The list stays as it was: send it again, with a title for each task.`
    return observation('plan', before, told, true)
  }
  const tasks = task_list.map(task => ({
    ...task,
    title: host.mask(task.title.trim()),
    notes: host.mask(task.notes.trim()),
  }))
  const active = tasks.filter(task => task.status === 'in_progress').length
  const hint = active > 1 ? ` ${active} tasks are in_progress: work on one at a time.` : ''
  return observation('plan', tasks, `Task list has been updated with ${tasks.length} item(s).${hint}`)
}

async function view(host: ToolHost): Promise<TaskTrackerObservation> {
  const tasks = currentTasks((await host.events?.()) ?? [])
  const told = tasks.length === 0 ? 'No task list found. Use the "plan" command to create one.' : listing(tasks)
  return observation('view', tasks, told)
}

/** What the newest list of the log says; empty when there is none. */
export function currentTasks(events: readonly Event[]): TaskItem[] {
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at]
    if (event?.kind !== 'ObservationEvent' || event.observation.kind !== 'TaskTrackerObservation') continue
    if (!event.observation.is_error) return event.observation.task_list
  }
  return []
}

const MARKS: Record<TaskItem['status'], string> = { todo: '[ ]', in_progress: '[~]', done: '[x]' }

function listing(tasks: readonly TaskItem[]): string {
  const done = tasks.filter(task => task.status === 'done').length
  const rows = tasks.map(
    ({ title, notes, status }, index) =>
      `${index + 1}. ${MARKS[status]} ${title}${notes ? `\n   ${notes.replaceAll('\n', '\n   ')}` : ''}`,
  )
  return `# Task list (${done} of ${tasks.length} done)\n${rows.join('\n')}`
}

function observation(
  command: TaskTrackerObservation['command'],
  task_list: TaskItem[],
  told: string,
  is_error = false,
): TaskTrackerObservation {
  return { kind: 'TaskTrackerObservation', content: text(told), is_error, command, task_list }
}
