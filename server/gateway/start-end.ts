import type { AppConversationStartTask } from '../api/app-conversations.ts'
import type { Bus } from '../bus.ts'
import type { StartTasks } from '../conversation/start.ts'

/** Resolves with the task when it has ended, well or not. */
export function endOf(taskId: string, startTasks: StartTasks, bus: Bus): Promise<AppConversationStartTask> {
  return new Promise(resolve => {
    const look = () => {
      const [task] = startTasks.batch([taskId])
      if (task?.status !== 'READY' && task?.status !== 'ERROR') return
      unsubscribe()
      resolve(task)
    }
    const unsubscribe = bus.subscribe(change => {
      if (change.resource === 'start-task' && change.id === taskId) look()
    })
    look()
  })
}
