import { EventEmitter, once } from 'node:events'
import pino from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { appConversationStartRequest } from '../../../server/api/v1/conversation/starts.ts'
import { Bus } from '../../../server/bus.ts'
import { StartTasks } from '../../../server/conversation/start/tasks.ts'
import type { StartSteps } from '../../../server/conversation/start/work.ts'
import { newConversationId } from '../../../server/domain/ids.ts'
import { StartTaskTable } from '../../../server/store/conversation/start-tasks.ts'
import { openStore } from '../../parts/service/store.ts'

const nothing = async () => {}

/** A start whose last step has begun, and goes on until it is let go. */
async function atItsLastStep(last: (signal: AbortSignal) => void) {
  const store = openStore()
  onTestFinished(() => store.remove())
  const parts = { bus: new Bus(), log: pino({ level: 'silent' }), mask: (text: string) => text }
  const tasks = new StartTasks({ ...parts, table: new StartTaskTable(store.database) })
  const gate = new EventEmitter()
  const undone: string[] = []
  const lastStep: StartSteps['STARTING_CONVERSATION'] = async ({ signal }) => {
    gate.emit('begun')
    await once(gate, 'open')
    last(signal)
  }
  const steps: StartSteps = {
    WAITING_FOR_SANDBOX: nothing,
    PREPARING_REPOSITORY: nothing,
    RUNNING_SETUP_SCRIPT: nothing,
    SETTING_UP_GIT_HOOKS: nothing,
    STARTING_CONVERSATION: lastStep,
  }
  const plan = {
    taskId: newConversationId(),
    conversationId: newConversationId(),
    request: appConversationStartRequest.parse({}),
  }
  const begun = once(gate, 'begun')
  tasks.begin(plan, steps, async () => void undone.push(plan.taskId))
  await begun
  return { tasks, plan, undone, letGo: () => gate.emit('open') }
}

it('a start that is ready before it can be cancelled is not called cancelled', async () => {
  const { tasks, plan, undone, letGo } = await atItsLastStep(() => {})
  const cancelled = tasks.cancel(plan.taskId)
  letGo()
  await expect(cancelled).rejects.toMatchObject({ code: 'conflict' })
  const [task] = tasks.batch([plan.taskId])
  expect(task).toMatchObject({ status: 'READY', app_conversation_id: plan.conversationId })
  expect(undone).toEqual([])
})

it('a start whose last step notices in time is cancelled and undone', async () => {
  const { tasks, plan, undone, letGo } = await atItsLastStep(signal => signal.throwIfAborted())
  const cancelled = tasks.cancel(plan.taskId)
  letGo()
  await cancelled
  expect(tasks.batch([plan.taskId])).toMatchObject([{ status: 'ERROR', detail: 'Cancelled.' }])
  expect(undone).toEqual([plan.taskId])
})
