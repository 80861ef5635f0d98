import { describe, expect } from 'vitest'
import {
  type AttemptSet,
  beginAttempts,
  deleteAttempts,
  keepAttempt,
  listAttempts,
} from '../../../../server/api/v1/conversation/attempts.ts'
import {
  deleteAppConversation,
  listAppConversations,
  sendMessage,
} from '../../../../server/api/v1/conversation/conversations.ts'
import { resumeSandbox, searchSandboxes } from '../../../../server/api/v1/sandbox/sandboxes.ts'
import { deleteLlmProfileV1, saveLlmProfileV1 } from '../../../../server/api/v1/settings/llm-profiles.ts'
import { openWebSocket } from '../../../../server/client/node/connect.ts'
import { until } from '../../../../server/client/until.ts'
import type { ModelRequest } from '../../../fakes/model-server.ts'
import { it as base } from '../../../fixtures/service.ts'
import { said, startConversation } from '../../../parts/client/conversation.ts'
import { runScript, testEngine } from '../../../parts/engine/containers.ts'

const it = base
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/good',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-test',
  }))
  .extend('serviceOptions', { scope: 'file' }, ({ settings }) => ({ settings }))
  .extend('start', { scope: 'file' }, ({ service }) => async () => {
    const task = await startConversation(service, { title: 'Answer' })
    const run = async (script: string) => (await runScript(task.sandbox_id ?? '', { cwd: FOLDER, script })).printed
    await run('echo x >given')
    return { params: { conversation_id: task.app_conversation_id ?? '' }, run }
  })
  .extend('list', { scope: 'file' }, ({ service }) => async (params: Params) => {
    return (await service.client.call(listAttempts, { params })).items
  })
  /** Until the first attempts are as they should be. */
  .extend(
    'untilAttempts',
    { scope: 'file' },
    ({ service, list }) =>
      (params: Params, isSo: (set: AttemptSet) => boolean) => {
        return until(
          { ...service, connect: openWebSocket },
          {
            concerns: ({ resource }) => resource === 'conversation' || resource === 'start-task',
            read: async () => {
              const [set] = await list(params)
              return set && isSo(set) ? set : undefined
            },
          },
        )
      },
  )
  .extend('exists', { scope: 'file' }, ({ service }) => async (id: string) => {
    const found = await service.client.call(listAppConversations, { query: { ids: [id] } })
    return Array.isArray(found) && found[0] !== null
  })

/** What each model does when it is asked, one command a step. */
const COMMANDS: Record<string, string[]> = {
  good: ['printf "one\\ntwo\\n" >answer; touch other'],
  bad: ['echo no >answer; rm given'],
  slow: ['touch /tmp/works; sleep 600'],
}

it.beforeAll(({ model }) => {
  model.setScript(answer)
})

function answer({ model: name, body }: ModelRequest) {
  const messages = body.messages as { role: string }[]
  const done = messages.length - 1 - messages.findLastIndex(({ role }) => role === 'user')
  const command = COMMANDS[name]?.[Math.ceil(done / 2)]
  const call = command
    ? { name: 'terminal', arguments: { command } }
    : { name: 'finish', arguments: { message: 'Done.' } }
  return { toolCalls: [call], usage: { input: 10, output: 10 } }
}

const FOLDER = '/workspace/project'

type Params = { conversation_id: string }

const allDone = ({ attempts }: AttemptSet) => attempts.every(({ state }) => state === 'done')

describe('one task, tried several times', () => {
  it('shows what each attempt changed, passed and took, and keeps one', async ({
    start,
    service,
    untilAttempts,
    list,
    exists,
  }) => {
    const { params, run } = await start()
    const body = {
      task: 'Write the answer.',
      models: ['openai/good', 'openai/bad', null],
      check: 'echo >>/tmp/checks; wc -l </tmp/checks; cat answer; grep two answer',
    }
    const begun = await service.client.call(beginAttempts, { params, body })
    expect(begun.attempts.map(({ state }) => state)).toEqual(['starting', 'starting', 'starting'])
    const { attempts, ...set } = await untilAttempts(params, allDone)
    expect(set).toMatchObject({ id: begun.id, task: 'Write the answer.', check: body.check })
    const [good, bad, usual] = attempts
    expect(good).toMatchObject({
      llm_model: 'openai/good',
      execution_status: 'finished',
      detail: null,
      steps: 2,
      changes: { files: 2, additions: 2, deletions: 0 },
      check: { exit_code: 0, output: '1\none\ntwo\ntwo\n' },
    })
    expect(good?.seconds).toBeGreaterThan(0)
    expect(bad).toMatchObject({
      changes: { files: 2, additions: 1, deletions: 1 },
      check: { exit_code: 1, output: '1\nno\n' },
    })
    expect(usual).toMatchObject({ number: 3, llm_model: 'openai/good', check: { exit_code: 0 } })
    expect(await run('ls')).toBe('given')

    await service.client.call(keepAttempt, {
      params: { ...params, attempts_id: begun.id },
      body: { conversation_id: good?.conversation_id ?? '' },
    })
    expect(await list(params)).toEqual([])
    expect(await exists(good?.conversation_id ?? '')).toBe(true)
    expect(await exists(bad?.conversation_id ?? '')).toBe(false)
    expect(await exists(usual?.conversation_id ?? '')).toBe(false)
  })

  it('is measured anew when an attempt goes on, and after a restart of the service', async ({
    start,
    service,
    untilAttempts,
    list,
  }) => {
    const { params } = await start()
    const body = { task: 'Write the answer.', models: ['openai/bad'], check: 'grep -c more answer' }
    await service.client.call(beginAttempts, { params, body })
    const first = await untilAttempts(params, allDone)
    const [{ conversation_id = '', check } = {}] = first.attempts
    expect(check).toMatchObject({ exit_code: 1 })
    const [found] = (await service.client.call(listAppConversations, { query: { ids: [conversation_id] } })) as {
      sandbox_id: string
    }[]
    await runScript(found?.sandbox_id ?? '', { cwd: FOLDER, script: 'echo more >>answer; touch given' })
    COMMANDS.bad = ['echo more >>answer']
    await service.client.call(sendMessage, { params: { conversation_id }, body: said('Go on.') })
    const again = await untilAttempts(params, set => allDone(set) && set.attempts[0]?.check?.exit_code === 0)
    expect(again.attempts[0]?.check?.output).toBe('2\n')
    await service.restart()
    expect(await list(params)).toEqual([again])
    await service.client.call(deleteAttempts, { params: { ...params, attempts_id: again.id } })
  })

  it('is deleted while it works and while it starts, with its sandboxes', async ({
    start,
    service,
    untilAttempts,
    list,
  }) => {
    const { params } = await start()
    const before = (await service.client.call(searchSandboxes, { query: {} })).items.length
    const body = { task: 'Wait.', models: ['openai/slow', 'openai/slow'] }
    const begun = await service.client.call(beginAttempts, { params, body })
    await untilAttempts(params, ({ attempts }) => attempts.some(({ state }) => state === 'working'))
    await service.client.call(deleteAttempts, { params: { ...params, attempts_id: begun.id } })
    expect(await list(params)).toEqual([])
    expect((await service.client.call(searchSandboxes, { query: {} })).items).toHaveLength(before)
  })

  it('keeps one, also when another is to be kept at the same time', async ({
    start,
    service,
    untilAttempts,
    exists,
  }) => {
    const { params } = await start()
    const body = { task: 'Write.', models: [null, null, null] }
    const { id } = await service.client.call(beginAttempts, { params, body })
    const { attempts } = await untilAttempts(params, allDone)
    const keep = (index: number) => {
      const conversation_id = attempts[index]?.conversation_id ?? ''
      return service.client.call(keepAttempt, { params: { ...params, attempts_id: id }, body: { conversation_id } })
    }
    const isKept = (await Promise.allSettled([keep(0), keep(2)])).map(({ status }) => status === 'fulfilled')
    expect(isKept.toSorted()).toEqual([false, true]) // Either may arrive first.
    const left = await Promise.all(attempts.map(({ conversation_id }) => exists(conversation_id)))
    expect(left).toEqual([isKept[0], false, isKept[1]])
  })

  it('is measured when its sandbox runs again, and says what it waits for', async ({
    start,
    service,
    untilAttempts,
  }) => {
    const { params } = await start()
    const body = { task: 'Write the answer.', models: ['openai/good'], check: 'sleep 600' }
    await service.client.call(beginAttempts, { params, body })
    const checking = await untilAttempts(params, ({ attempts }) => attempts[0]?.state === 'checking')
    const conversation_id = checking.attempts[0]?.conversation_id ?? ''
    const found = await service.client.call(listAppConversations, { query: { ids: [conversation_id] } })
    const sandbox_id = (Array.isArray(found) ? found[0]?.sandbox_id : undefined) ?? ''
    await service.restart(async () => {
      const engine = testEngine()
      await engine.pauseContainer(sandbox_id)
      await engine.close()
    })
    const waiting = await untilAttempts(params, ({ attempts }) => attempts[0]?.state === 'waiting')
    expect(waiting.attempts[0]).toMatchObject({ check: null, detail: expect.stringContaining('paused') })
    await service.client.call(resumeSandbox, { params: { sandbox_id } })
    await untilAttempts(params, ({ attempts }) => attempts[0]?.state === 'checking')
  })

  it('leaves out what was deleted one by one, and goes with its conversation', async ({
    start,
    service,
    untilAttempts,
    list,
    exists,
  }) => {
    const { params } = await start()
    const body = { task: 'Write.', models: [null, null], check: 'exit 3' }
    await service.client.call(beginAttempts, { params, body })
    const { attempts } = await untilAttempts(params, allDone)
    const [one, other] = attempts.map(({ conversation_id }) => conversation_id)
    await service.client.call(deleteAppConversation, { params: { conversation_id: one ?? '' } })
    expect((await list(params))[0]?.attempts.map(({ conversation_id }) => conversation_id)).toEqual([other])
    await service.client.call(deleteAppConversation, { params })
    await expect(list(params)).rejects.toMatchObject({ status: 404 })
    expect(await exists(other ?? '')).toBe(true)
  })

  it('says why an attempt could not be started, and refuses what is no attempt', async ({
    start,
    service,
    untilAttempts,
  }) => {
    const { params } = await start()
    const body = { task: 'Write.', models: [null], from_event_id: 'nothing' }
    const { id } = await service.client.call(beginAttempts, { params, body })
    const failed = await untilAttempts(params, ({ attempts }) => attempts[0]?.state === 'failed')
    expect(failed.attempts[0]?.detail).toContain('There is no such event')
    const keep = (attempts_id: string) =>
      service.client.call(keepAttempt, { params: { ...params, attempts_id }, body: { conversation_id: 'x' } })
    await expect(keep(id)).rejects.toThrow('There is no such attempt.')
    await expect(keep('x')).rejects.toThrow('There are no such attempts.')
    const other = await start()
    await expect(
      service.client.call(deleteAttempts, { params: { ...other.params, attempts_id: id } }),
    ).rejects.toMatchObject({ status: 404 })
  })

  it('is made with a saved model, with its address and key', async ({ start, service, model, untilAttempts }) => {
    const llm = { model: 'openai/good', base_url: `${model.url.openai}/`, api_key: 'sk-saved' }
    await service.client.call(saveLlmProfileV1, { params: { name: 'spare' }, body: { llm } })
    const { params } = await start()
    const body = { task: 'Write the answer.', models: ['openai/bad', 'openai/bad'], profiles: ['spare', null] }
    const asked = model.requests.length
    await service.client.call(beginAttempts, { params, body })
    const { attempts } = await untilAttempts(params, allDone)
    expect(attempts.map(({ profile, llm_model }) => [profile, llm_model])).toEqual([
      ['spare', 'openai/good'],
      [null, 'openai/bad'],
    ])
    const keys = new Map(model.requests.slice(asked).map(({ model: name, headers }) => [name, headers.authorization]))
    expect(Object.fromEntries(keys)).toEqual({ good: 'Bearer sk-saved', bad: 'Bearer sk-test' })
    const unknown = service.client.call(beginAttempts, { params, body: { ...body, profiles: ['gone'] } })
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  })

  it('keeps the saved model that it was begun with when that is changed or deleted meanwhile', async ({
    start,
    service,
    model,
    untilAttempts,
  }) => {
    const llm = { base_url: `${model.url.openai}/`, api_key: 'sk-saved' }
    const save = (name: string, llm_model: string) =>
      service.client.call(saveLlmProfileV1, { params: { name }, body: { llm: { ...llm, model: llm_model } } })
    await save('changed', 'openai/good')
    await save('deleted', 'openai/good')
    const { params } = await start()
    const body = { task: 'Write the answer.', models: [null, null], profiles: ['changed', 'deleted'] }
    const asked = model.requests.length
    await service.client.call(beginAttempts, { params, body })
    await save('changed', 'openai/bad')
    await service.client.call(deleteLlmProfileV1, { params: { name: 'deleted' } })
    const { attempts } = await untilAttempts(params, allDone)
    expect(attempts.map(({ profile, llm_model, changes }) => [profile, llm_model, changes?.files])).toEqual([
      ['changed', 'openai/good', 2],
      ['deleted', 'openai/good', 2],
    ])
    const keys = model.requests.slice(asked).map(({ model: name, headers }) => `${name} ${headers.authorization}`)
    expect(new Set(keys)).toEqual(new Set(['good Bearer sk-saved']))
  })
})
