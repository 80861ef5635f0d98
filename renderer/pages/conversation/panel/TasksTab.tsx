import { hasOlder } from '../../../state/conversation/conversation.ts'
import { doneCount, tasksOf } from '../../../state/conversation/task-list.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { useSnapshot } from '../context.ts'
import { TaskListView } from '../TaskListView.tsx'
import { t } from './text.ts'

/** The agent's newest list of what it is about to do. */
export function TasksTab() {
  const conversation = useSnapshot(snapshot => snapshot.conversation)
  const tasks = tasksOf(conversation.events)
  if (!tasks || tasks.length === 0)
    return (
      <EmptyState title={t('noTaskList')}>
        {hasOlder(conversation) ? t('thereIsNoneInEvents') : t('forLongerWorkAgentKeeps')}
      </EmptyState>
    )
  const done = doneCount(tasks)
  return (
    <div className="flex flex-col gap-2 p-4">
      <p className="text-soft">{t('doneOfTasks', { done, total: tasks.length })}</p>
      <Progress label={t('tasksDone')} value={{ done, total: tasks.length }} />
      <TaskListView tasks={tasks} />
    </div>
  )
}
