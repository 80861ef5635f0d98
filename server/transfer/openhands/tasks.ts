import { TASK_STATUSES, type TaskItem } from '../../api/event/actions.ts'
import { fieldsOf, textIn } from './values.ts'

/** A list of tasks, with what it has beside titles, notes and states left out. */
export function taskListOf(value: unknown): TaskItem[] {
  if (!Array.isArray(value)) return []
  return value.map(item => {
    const fields = fieldsOf(item)
    const status = TASK_STATUSES.find(each => each === fields.status) ?? 'todo'
    return { title: textIn(fields, 'title'), notes: textIn(fields, 'notes'), status }
  })
}
