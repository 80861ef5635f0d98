import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import {
  type AppConversation,
  interruptConversation,
  listAppConversations,
} from '../../../server/api/v1/conversation/conversations.ts'
import { getConversationSkills } from '../../../server/api/v1/conversation/skills.ts'
import { getUsage } from '../../../server/api/v1/system/usage.ts'
import { textOf } from '../../../server/event/model-messages.ts'
import { type ModelRequest, startModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('model', { scope: 'file' }, async ({ git }, { onCleanup }) => {
    await git.add('team', {
      '.agents/agents/reviewer.md':
        '---\ndescription: Reads diffs.\ntools: Read, Grep\nmax_iteration_per_run: 2\n---\nBe kind to people.\n',
      '.openhands/agents/broken.md': 'no front matter',
    })
    const model = await startModelServer()
    onCleanup(() => model.close())
    return model
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { allowed_hosts: ['host.docker.internal'] }),
  }))
  .extend('start', { scope: 'file' }, ({ service }) => async (repository: string | null = null) => {
    const task = await startConversation(service, { initial_message: said('Go'), selected_repository: repository })
    const id = task.app_conversation_id ?? ''
    return { id, params: { conversation_id: id }, seen: await watch(service, id) }
  })
  .extend('shown', { scope: 'file' }, ({ service }) => async (id: string) => {
    const [info] = (await await service.client.call(listAppConversations, {
      query: { ids: [id] },
    })) as (AppConversation | null)[]
    return info
  })

it.beforeAll(async ({ service }) => {
  const own = join(service.dataDir, 'home/.openhands/agents')
  await mkdir(own, { recursive: true })
  await writeFile(join(own, 'mine.md'), '---\ndescription: Is mine.\n---\n')
})

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const isSubAgent = ({ body }: ModelRequest) => JSON.stringify(body.messages).includes('Count the files')
const delegate = call('task', { prompt: 'Count the files', description: 'Counting' })

describe('a sub-agent', () => {
  it('works in the same sandbox with a context of its own, reports, and is paid for by its parent', async ({
    model,
    start,
    shown,
  }) => {
    let steps = 0
    model.setScript(request => {
      if (isSubAgent(request)) {
        return steps++ === 0
          ? call('terminal', { command: 'ls | wc -l' })
          : call('finish', { message: 'There are none.' })
      }
      return model.requests.some(isSubAgent) ? call('finish', { message: 'Done.' }) : delegate
    })
    const { id, seen } = await start()
    await seen.untilStatus('finished')
    const [result] = seen.of('ObservationEvent')
    expect(result?.observation).toMatchObject({ kind: 'TaskObservation', status: 'completed', is_error: false })
    expect(textOf(result?.observation.content ?? [])).toContain('There are none.')
    const own = model.requests.filter(request => !isSubAgent(request)).at(-1)
    expect(JSON.stringify(own?.body.messages)).not.toContain('wc -l')
    const info = await shown(id)
    const [childId] = info?.sub_conversation_ids ?? []
    const child = await shown(childId ?? '')
    expect(child).toMatchObject({ title: 'Counting', sandbox_id: info?.sandbox_id, execution_status: 'finished' })
    const stats = seen
      .of('ConversationStateUpdateEvent')
      .filter(({ key }) => key === 'stats')
      .at(-1)
    expect(stats?.value).toMatchObject({ usage_to_metrics: { [`task:${childId}`]: { model_name: 'scripted' } } })
    const offered = model.requests
      .filter(isSubAgent)[0]
      ?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)
    expect(offered).not.toContain('task')
    await seen.close()
  })

  it('is stopped with its parent', async ({ model, start, shown, service }) => {
    model.setScript(request => (isSubAgent(request) ? call('terminal', { command: 'sleep 600' }) : delegate))
    const before = model.requests.length
    const { id, params, seen } = await start()
    await model.request(before + 1)
    const [childId] = (await shown(id))?.sub_conversation_ids ?? []
    const child = await watch(service, childId ?? '')
    await child.until(frame => frame.kind === 'ActionEvent')
    await service.client.call(interruptConversation, { params })
    await seen.untilStatus('paused')
    await child.untilStatus('paused')
    expect(seen.of('AgentErrorEvent')[0]?.error).toContain('stopped')
    await child.close()
    await seen.close()
  })

  it('is what its file in the repository says: its words, its tools, its limit, and the same when it is resumed', async ({
    model,
    service,
    start,
    git,
    shown,
  }) => {
    const review = (more: object = {}) =>
      call('task', { prompt: 'Count the files', subagent_type: 'reviewer', ...more })
    const before = model.requests.length
    const spent = (await service.client.call(getUsage, { query: { days: 1 } })).total.steps
    let taskId = ''
    const turns = [
      call('task', { prompt: 'Count the files', subagent_type: 'nobody' }),
      review(),
      () => review({ resume: taskId, subagent_type: 'general-purpose' }),
      call('finish', { message: 'Done.' }),
    ]
    model.setScript(request => {
      if (isSubAgent(request) && JSON.stringify(request.body.messages).includes('Be kind to people.')) {
        return call('think', { thought: 'x'.repeat(model.requests.length) })
      }
      const turn = turns.shift() ?? call('finish', { message: 'None left.' })
      taskId = /task_id: ([0-9a-f-]+)/.exec(JSON.stringify(request.body.messages))?.[1] ?? ''
      return typeof turn === 'function' ? turn() : turn
    })
    const { id, params, seen } = await start(git.url('team'))
    await seen.untilStatus('finished')
    const results = seen.of('ObservationEvent').map(({ observation }) => textOf(observation.content))
    expect(results[0]).toContain(
      'There is no sub-agent "nobody". Available: general-purpose, reviewer, mine, code-explorer, bash-runner, web-researcher.',
    )
    expect(results[1]).toContain('reached its limit')
    expect(results[2]).toContain('reached its limit')

    const asked = model.requests.slice(before)
    const own = asked.filter(({ body }) => JSON.stringify(body.messages).includes('Be kind to people.'))
    const toolsIn = ({ body }: ModelRequest): { name: string; description: string }[] =>
      body.tools.map((tool: { function: object }) => tool.function)
    expect(own).toHaveLength(2)
    for (const request of own) {
      expect(toolsIn(request).map(({ name }) => name)).toEqual(['grep', 'think', 'finish', 'file_editor'])
      expect(JSON.stringify(request.body.messages[0])).toContain('.agents/agents/reviewer.md describes the part')
    }
    const task = asked.flatMap(toolsIn).find(({ name }) => name === 'task')
    expect(task?.description).toContain('* reviewer: Reads diffs.\n* mine: Is mine.\n* code-explorer:')
    const { problems } = await service.client.call(getConversationSkills, { params })
    expect(problems).toEqual([expect.stringContaining('broken.md: it has no front matter')])

    const info = await shown(id)
    const { total } = await service.client.call(getUsage, { query: { days: 1 } })
    expect(total.steps - spent).toBe(asked.length)
    expect(info?.sub_conversation_ids).toHaveLength(1)
    await seen.close()
  })
})
