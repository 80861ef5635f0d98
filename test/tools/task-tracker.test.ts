import { expect, test } from 'vitest'
import type { Event } from '../../server/api/event/events.ts'
import { createTaskTracker, currentTasks } from '../../server/tools/task-tracker.ts'
import type { ToolHost } from '../../server/tools/tool.ts'

const TASKS = [
  { title: 'Find the cause', notes: 'in src/a.ts\nnot in b.ts', status: 'done' },
  { title: 'Write a test', status: 'in_progress' },
  { title: 'Fix it' },
]

/** A conversation that keeps what its tool answers. */
function conversation(mask = (text: string) => text) {
  const events: Event[] = []
  const host: ToolHost = {
    sandbox: () => Promise.reject(new Error('A list needs no sandbox.')),
    mask,
    events: async () => events,
  }
  const call = async (parameters: Record<string, unknown>) => {
    // Each call has a tool of its own: nothing is remembered but the log.
    const tool = createTaskTracker(host)
    const context = { signal: AbortSignal.timeout(5_000), onOutput: () => {} }
    const observation = await tool.run(tool.toAction(parameters), context)
    events.push({ kind: 'ObservationEvent', observation } as Event) // the fields that are looked at
    if (observation.kind !== 'TaskTrackerObservation') throw new Error('It was answered by another tool.')
    return observation
  }
  return { events, call }
}

const said = (observation: { content: { type: string; text?: string }[] }) =>
  observation.content.map(part => part.text).join()

test('a list is kept and shown, also by another process that has the log', async () => {
  const { call } = conversation()
  const planned = await call({ command: 'plan', task_list: TASKS })
  expect(said(planned)).toBe('Task list has been updated with 3 item(s).')
  const shown = await call({ command: 'view' })
  expect(said(shown)).toBe(
    '# Task list (1 of 3 done)\n1. [x] Find the cause\n   in src/a.ts\n   not in b.ts\n2. [~] Write a test\n3. [ ] Fix it',
  )
  expect(shown.task_list).toEqual(planned.task_list)
})

test('a new list replaces the old one, and an empty one ends it', async () => {
  const { call, events } = conversation()
  await call({ command: 'plan', task_list: TASKS })
  await call({ command: 'plan', task_list: [{ title: 'Only this' }] })
  expect(currentTasks(events).map(task => task.title)).toEqual(['Only this'])
  await call({ command: 'plan', task_list: [] })
  expect(currentTasks(events)).toEqual([])
})

test('without a list there is nothing to show, and nothing to keep', async () => {
  const { call } = conversation()
  expect(said(await call({ command: 'view' }))).toContain('No task list found')
  const refused = await call({ command: 'plan' })
  expect([refused.is_error, said(refused)]).toEqual([true, 'Parameter `task_list` is required for command: plan.'])
})

test('a task without a title is refused, and the list stays', async () => {
  const { call, events } = conversation()
  await call({ command: 'plan', task_list: TASKS })
  const refused = await call({ command: 'plan', task_list: [{ title: 'a' }, { title: '  ' }] })
  expect([refused.is_error, said(refused)]).toEqual([true, expect.stringContaining('Task 2 has no title')])
  expect(currentTasks(events)).toHaveLength(3)
})

test('several tasks at once are noticed', async () => {
  const { call } = conversation()
  const active = [1, 2].map(n => ({ title: `Task ${n}`, status: 'in_progress' }))
  expect(said(await call({ command: 'plan', task_list: active }))).toContain('2 tasks are in_progress')
})

test('secret values are hidden in the list', async () => {
  const { call } = conversation(text => text.replaceAll('sk-secret', '<secret-hidden>'))
  const observation = await call({ command: 'plan', task_list: [{ title: 'Use sk-secret', notes: 'sk-secret' }] })
  expect(JSON.stringify(observation)).not.toContain('sk-secret')
})
