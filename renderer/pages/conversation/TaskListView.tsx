import { Circle, CircleCheck, CircleDot, type LucideIcon } from 'lucide-react'
import type { TaskItem } from '../../../server/api/event/actions.ts'
import { t } from './text.ts'

const LOOKS = {
  todo: { icon: Circle, ink: 'text-faint', word: t('toDo') },
  in_progress: { icon: CircleDot, ink: 'text-work', word: t('inProgress') },
  done: { icon: CircleCheck, ink: 'text-good', word: t('done') },
} as const satisfies Record<TaskItem['status'], { icon: LucideIcon; ink: string; word: string }>

/** The agent's own list of what it is about to do. */
export function TaskListView({ tasks }: { tasks: readonly TaskItem[] }) {
  if (tasks.length === 0) return <p className="text-faint">{t('listIsEmpty')}</p>
  return (
    <ol aria-label={t('tasks')} className="flex flex-col">
      {numbered(tasks).map(({ place, task }) => (
        <TaskRow key={place} task={task} />
      ))}
    </ol>
  )
}

/** The list is replaced as a whole, and two tasks may read the same: their place is what tells them apart. */
function numbered(tasks: readonly TaskItem[]) {
  return tasks.map((task, place) => ({ place, task }))
}

function TaskRow({ task: { title, notes, status } }: { task: TaskItem }) {
  const { icon: Icon, ink, word } = LOOKS[status]
  return (
    <li className="flex items-start gap-2 py-1">
      <Icon size={14} aria-hidden className={`mt-0.75 shrink-0 ${ink}`} />
      <div className="min-w-0 flex-1">
        <p className={`[overflow-wrap:anywhere] ${status === 'done' ? 'text-soft' : ''}`}>
          {title}
          <span className="sr-only">, {word}</span>
        </p>
        {notes && <p className="whitespace-pre-wrap text-faint text-sm [overflow-wrap:anywhere]">{notes}</p>}
      </div>
    </li>
  )
}
