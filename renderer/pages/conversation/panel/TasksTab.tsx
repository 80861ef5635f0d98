import type { TaskItem } from '../../../../server/api/event/actions.ts'
import { hasOlder } from '../../../state/conversation/conversation.ts'
import { doneCount } from '../../../state/conversation/task-list.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { useOpenConversation } from '../context.ts'
import { TaskListView } from '../TaskListView.tsx'

/** The agent's newest list of what it is about to do. */
export function TasksTab({ tasks }: { tasks: readonly TaskItem[] | null }) {
  const { snapshot } = useOpenConversation()
  if (!tasks || tasks.length === 0)
    return (
      <EmptyState title="No task list">
        {hasOlder(snapshot.conversation)
          ? 'There is none in the events that are loaded.'
          : 'For longer work the agent keeps a list of its tasks. It shows here.'}
      </EmptyState>
    )
  const done = doneCount(tasks)
  return (
    <div className="flex flex-col gap-2 p-4">
      <p className="text-soft">
        {done} of {tasks.length} done
      </p>
      <Progress label="Tasks done" value={{ done, total: tasks.length }} />
      <TaskListView tasks={tasks} />
    </div>
  )
}
