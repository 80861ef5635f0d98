import { expect } from 'vitest'
import type { Event } from '../../server/api/event/events.ts'
import {
  type AppConversation,
  listAppConversations,
  runConversation,
} from '../../server/api/v1/conversation/conversations.ts'
import { createAppConversation } from '../../server/api/v1/conversation/starts.ts'
import { getConversationFile } from '../../server/api/v1/conversation/workspace.ts'
import { searchSandboxes } from '../../server/api/v1/sandbox/sandboxes.ts'
import { newConversationId } from '../../server/domain/ids.ts'
import { said, settled } from '../parts/client/conversation.ts'
import { watch } from '../parts/client/watch.ts'
import type { Headless } from '../parts/service/headless.ts'
import { readLog } from '../parts/service/read-log.ts'
import { LINES } from './agent.ts'
import { expectCarriedOutOnce, expectWhole } from './log-facts.ts'

/** Two services and their sandboxes share the machine with other tests. */
const PATIENCE_MS = 120_000

export interface Task {
  id: string
  /** Every stored event that a client has been told of, over all its connections. */
  seen: Event[]
  finished: boolean
}

export function newTask(): Task {
  return { id: newConversationId(), seen: [], finished: false }
}

/**
 * Goes on with a task from wherever it is, as a person would after a crash, and checks everything that must hold then.
 * @returns false when the service died before the end
 */
export async function workOn(service: Headless, task: Task, died: Promise<unknown>): Promise<boolean> {
  const found = await find(service, task.id)
  if (found) await expectNothingLost(service, task)
  else if ((await Promise.race([start(service, task.id), died])) !== 'started') return false
  if (found?.execution_status !== 'finished' && !(await untilFinished(service, task, found !== null))) return false
  const events = await readLog(service, task.id)
  expectWhole(events)
  expect(events.filter(event => event.kind === 'MessageEvent' && event.source === 'user')).toHaveLength(1)
  const params = { conversation_id: task.id }
  const text = await service.client.call(getConversationFile, { params, query: { file_path: LINES } })
  expectCarriedOutOnce(events, text.trim().split('\n'))
  task.finished = true
  return true
}

/** A start that was interrupted leaves nothing that nobody uses. */
export async function expectOneSandboxEach(service: Headless, tasks: readonly Task[]): Promise<void> {
  const conversations = await Promise.all(tasks.map(({ id }) => find(service, id)))
  const used = conversations.map(conversation => conversation?.sandbox_id)
  const present = async () => {
    const { items } = await service.client.call(searchSandboxes, { query: { limit: 100 } })
    return items.map(({ id }) => id).sort()
  }
  // They are removed while the service is up already.
  await expect.poll(present, { timeout: PATIENCE_MS }).toEqual(used.sort())
}

async function find(service: Headless, id: string): Promise<AppConversation | null> {
  const found = await service.client.call(listAppConversations, { query: { ids: [id] } })
  return (Array.isArray(found) && found[0]) || null
}

/** Under the same id, whatever the last start left behind. */
async function start(service: Headless, id: string): Promise<'started'> {
  const body = { conversation_id: id, initial_message: said('Write the lines') }
  const task = await settled(service, await service.client.call(createAppConversation, { body }))
  expect(task).toMatchObject({ status: 'READY', detail: null })
  return 'started'
}

/** What was published was stored before, and nobody works until told to. */
async function expectNothingLost(service: Headless, task: Task): Promise<void> {
  const events = await readLog(service, task.id)
  expectWhole(events)
  expect(events.slice(0, task.seen.length).map(({ id }) => id)).toEqual(task.seen.map(({ id }) => id))
}

async function untilFinished(service: Headless, task: Task, told: boolean): Promise<boolean> {
  const following = await watch(service, task.id, task.seen.length - 1)
  try {
    if (told) await service.client.call(runConversation, { params: { conversation_id: task.id } })
    const end = following.until(
      frame => frame.kind === 'ConversationErrorEvent' || isEnd(frame),
      'The end',
      PATIENCE_MS,
    )
    const frame = await Promise.race([end, following.closed])
    if (typeof frame === 'object') expect(frame).toMatchObject({ value: 'finished' })
    return typeof frame === 'object'
  } finally {
    await following.close()
    task.seen.push(...following.events())
    expect(task.seen.map(({ seq }) => seq)).toEqual([...task.seen.keys()])
  }
}

function isEnd(frame: { kind: string; key?: unknown; value?: unknown }): boolean {
  return frame.kind === 'ConversationStateUpdateEvent' && frame.key === 'execution_status' && frame.value === 'finished'
}
