import { afterEach, describe, expect } from 'vitest'
import {
  deleteAppConversation,
  listAppConversations,
  runConversation,
  searchAppConversations,
  sendMessage,
  updateAppConversation,
} from '../../../server/api/v1/conversation/conversations.ts'
import { batchGetStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import { textOf } from '../../../server/event/model-messages.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { isFullState, type Watch, watch } from '../../parts/client/watch.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-test-0123456789' }),
  }))
  .extend('follow', { scope: 'file' }, ({ service }) => async (id: string, afterSeq?: number) => {
    const one = await watch(service, id, afterSeq)
    watches.push(one)
    return one
  })
  .extend(
    'start',
    { scope: 'file' },
    ({ service, follow }) =>
      async (text: string): Promise<{ id: string; seen: Watch }> => {
        const task = await startConversation(service, { initial_message: said(text) })
        expect(task.detail).toBeNull()
        const id = task.app_conversation_id ?? ''
        return { id, seen: await follow(id) }
      },
  )

const watches: Watch[] = []

afterEach(async () => {
  for (const one of watches.splice(0)) await one.close()
})

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })

describe('the main job', () => {
  it('takes a message, works in a real sandbox, and finishes', async ({ model, start, service }) => {
    model.setScript([
      {
        text: 'I will write it.',
        toolCalls: [
          {
            name: 'file_editor',
            arguments: { command: 'create', path: '/workspace/project/hello.py', file_text: 'print(6 * 7)\n' },
          },
          { name: 'terminal', arguments: { command: 'python3 hello.py' } },
        ],
        usage: { input: 1000, output: 50 },
      },
      call('finish', { message: 'It prints 42.' }),
    ])
    const { id, seen } = await start('Write hello.py, which prints the answer')
    await seen.untilStatus('finished')

    const [created, ran, finished] = seen.of('ObservationEvent').map(event => event.observation)
    expect(created).toMatchObject({ kind: 'FileEditorObservation', is_error: false, new_content: 'print(6 * 7)\n' })
    expect(ran).toMatchObject({ kind: 'TerminalObservation', exit_code: 0 })
    expect(textOf(ran?.content ?? [])).toContain('42')
    expect(finished).toMatchObject({ kind: 'FinishObservation' })

    expect(await service.client.call(listAppConversations, { query: { ids: [id] } })).toMatchObject([
      {
        execution_status: 'finished',
        sandbox_status: 'RUNNING',
        title: 'Write hello.py, which prints the answer',
        steps: 2,
      },
    ])
  })

  it('names the steps of the start in order, with their times', async ({ model, service }) => {
    model.setScript([call('finish', { message: 'Done.' })])
    const task = await startConversation(service, { initial_message: said('Nothing') })
    expect(task.steps.map(step => step.status)).toEqual([
      'WAITING_FOR_SANDBOX',
      'PREPARING_REPOSITORY',
      'RUNNING_SETUP_SCRIPT',
      'SETTING_UP_GIT_HOOKS',
      'STARTING_CONVERSATION',
    ])
    expect(task.steps.every(step => step.finished_at !== null)).toBe(true)
    expect(task).toMatchObject({ status: 'READY', detail: null })
    expect(task.sandbox_id).toMatch(/^atelier-/)
  })

  it('answers every call exactly once, in the order of the calls', async ({ model, start }) => {
    model.setScript([
      {
        toolCalls: [
          { name: 'terminal', arguments: { command: 'false' } },
          { name: 'no_such_tool', arguments: {} },
          { name: 'terminal', arguments: '{"command": ' },
        ],
      },
      call('finish', { message: 'Done.' }),
    ])
    const { seen } = await start('Try some things')
    await seen.untilStatus('finished')
    const calls = seen.of('ActionEvent').map(event => event.tool_call_id)
    const answers = [...seen.of('ObservationEvent'), ...seen.of('AgentErrorEvent')].map(event => event.tool_call_id)
    expect(new Set(calls).size).toBe(4)
    expect([...answers].sort()).toEqual([...calls].sort())
    // The next request carries all of it in a form that providers accept.
    const messages = model.requests.at(-1)?.body.messages
    expect(messages.filter((one: { role: string }) => one.role === 'tool')).toHaveLength(3)
  })

  it('takes up a message that is sent while it works', async ({ model, start, service }) => {
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    model.setScript(async (_request, index) => {
      if (index === 0) {
        await released
        return { text: 'First answer.' }
      }
      return call('finish', { message: 'Second.' })
    })
    const asked = model.request(model.requests.length)
    const { id, seen } = await start('Begin')
    await asked
    await service.client.call(sendMessage, { params: { conversation_id: id }, body: said('And this too') })
    release()
    await seen.untilStatus('finished')
    expect(seen.of('ConversationStateUpdateEvent').filter(event => event.value === 'running')).toHaveLength(1)
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('And this too')
  })

  it('pauses at the step limit, says so, and goes on when it is raised', async ({ model, service, follow }) => {
    model.setScript([call('think', { thought: 'One.' }), call('finish', { message: 'Done.' })])
    const task = await startConversation(service, { initial_message: said('Think'), max_iterations: 1 })
    const id = task.app_conversation_id ?? ''
    const seen = await follow(id)
    await seen.untilStatus('paused')
    expect(seen.of('ConversationErrorEvent')[0]).toMatchObject({ code: 'MaxIterationsReached' })
    const raised = await service.client.call(updateAppConversation, {
      params: { conversation_id: id },
      body: { max_iterations: 10 },
    })
    expect(raised.limit_reached).toBeNull()
    await service.client.call(runConversation, { params: { conversation_id: id } })
    await seen.untilStatus('finished')
  })

  it('pauses when the budget is used up', async ({ model, service, follow }) => {
    model.setScript([{ ...call('think', { thought: 'Dear.' }), cost: 0.5 }, call('finish', { message: 'Done.' })])
    const task = await startConversation(service, { initial_message: said('Spend'), max_budget_per_task: 0.25 })
    const seen = await follow(task.app_conversation_id ?? '')
    await seen.untilStatus('paused')
    expect(seen.of('ConversationErrorEvent')[0]).toMatchObject({ code: 'MaxBudgetReached' })
  })

  it('says what to do when the key is refused, and goes on after a retry', async ({ model, start, service }) => {
    model.setScript([{ fault: 'authentication' }, call('finish', { message: 'Done.' })])
    const { id, seen } = await start('Ask')
    await seen.untilStatus('error')
    const [failure] = seen.of('ConversationErrorEvent')
    expect(failure).toMatchObject({ code: 'llm_authentication', classification: { user_action: 'settings' } })
    expect(JSON.stringify(seen.frames)).not.toContain('sk-test-0123456789')
    await service.client.call(runConversation, { params: { conversation_id: id } })
    await seen.untilStatus('finished')
  })

  it('keeps its shell between runs and after the app was opened again', async ({ model, start, service, follow }) => {
    model.setScript([
      call('terminal', { command: 'cd /tmp && echo kept > note.txt' }),
      call('finish', { message: 'Written.' }),
      call('terminal', { command: 'cat /tmp/note.txt' }),
      call('finish', { message: 'Read.' }),
    ])
    const { id, seen } = await start('Write a note')
    const finished = await seen.untilStatus('finished')
    await seen.close()
    await service.restart()
    const again = await follow(id, 'seq' in finished ? finished.seq : 0)
    again.send(said('Read it'))
    await again.untilStatus('finished')
    const read = again.of('ObservationEvent').find(event => event.tool_name === 'terminal')
    expect(textOf(read?.observation.content ?? [])).toContain('kept')
  })

  it('deletes a conversation with its sandbox', async ({ model, start, service }) => {
    model.setScript([call('finish', { message: 'Done.' })])
    const { id, seen } = await start('Be brief')
    await seen.untilStatus('finished')
    const before = await service.client.call(searchAppConversations, {})
    await service.client.call(deleteAppConversation, { params: { conversation_id: id } })
    const after = await service.client.call(searchAppConversations, {})
    expect(after.items).toHaveLength(before.items.length - 1)
    expect(await service.client.call(listAppConversations, { query: { ids: [id] } })).toEqual([null])
  })

  it('first sends the full state', async ({ model, start }) => {
    model.setScript([call('finish', { message: 'Done.' })])
    const { seen } = await start('Say hello')
    await seen.untilStatus('finished')
    expect(seen.frames[0] && isFullState(seen.frames[0])).toBe(true)
    const ends = seen.frames.findLastIndex(isFullState)
    await seen.until(
      frame => isFullState(frame) && frame.value.execution_status === 'finished',
      'The state after the run',
    )
    expect(ends).toBeGreaterThanOrEqual(0)
  })

  it('ends a start that cannot be made with the reason', async ({ service }) => {
    const task = await startConversation(service, { sandbox_id: 'atelier-unknown', initial_message: said('x') })
    expect(task).toMatchObject({ status: 'ERROR', app_conversation_id: null })
    expect(task.detail).toContain('atelier-unknown')
    expect(await service.client.call(batchGetStartTasks, { query: { ids: [task.id] } })).toEqual([task])
  })
})
