import { expect } from 'vitest'
import { getConversationHooks } from '../../../server/api/v1/conversation/skills.ts'
import { getUsage } from '../../../server/api/v1/system/usage.ts'
import type { Turn } from '../../fakes/model-server/turn.ts'
import { type ModelRequest, startModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('model', { scope: 'file' }, async ({ git }, { onCleanup }) => {
    await git.add('asks', { 'README.md': 'The readme.\n', '.openhands/hooks.json': JSON.stringify(HOOKS) })
    const model = await startModelServer()
    onCleanup(() => model.close())
    return model
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-test-0123456789', allowed_hosts: ['host.docker.internal'] }),
  }))

const HOOKS = {
  PreToolUse: [{ matcher: 'terminal', hooks: [{ type: 'prompt', name: 'guard', prompt: 'Does it sound friendly?' }] }],
  Stop: [{ hooks: [{ type: 'agent', prompt: 'Does the README have a date?', tools: ['file_editor', 'terminal'] }] }],
}

const call = (name: string, args: Record<string, unknown>): Turn => ({
  toolCalls: [{ name, arguments: args }],
  usage: { input: 100, output: 1 },
  cost: 0.01,
})
const finish = (message: string) => call('finish', { message })
const README = '/workspace/project/asks/README.md'

it('a hook that asks decides by the model, one that is an agent looks first and changes nothing', async ({
  model,
  service,
  git,
}) => {
  const agent: Turn[] = [
    call('file_editor', { command: 'str_replace', path: README, old_str: 'The readme.', new_str: 'Hacked.' }),
    finish('{"decision": "deny", "reason": "The README has no date."}'),
    finish('```json\n{"decision": "allow"}\n```'),
  ]
  const main = [call('terminal', { command: 'echo go away' }), finish('Done.'), finish('Done, with a date.')]
  const asked: Record<'guard' | 'agent' | 'main', ModelRequest[]> = { guard: [], agent: [], main: [] }
  model.setScript(request => {
    const text = JSON.stringify(request.body.messages)
    if (text.includes('sound friendly?')) {
      asked.guard.push(request)
      return { text: '{"decision": "deny", "reason": "Not friendly."}', usage: { input: 7, output: 1 }, cost: 0.02 }
    }
    const [who, turns] = text.includes('have a date?') ? (['agent', agent] as const) : (['main', main] as const)
    asked[who].push(request)
    return turns.shift() ?? { fault: 'bad-request' }
  })
  const task = await startConversation(service, { selected_repository: git.url('asks'), initial_message: said('Go') })
  const id = task.app_conversation_id ?? ''
  const seen = await watch(service, id)
  await seen.untilStatus('finished')

  expect(seen.of('UserRejectObservation')).toMatchObject([
    { rejection_reason: 'Not friendly.', rejection_source: 'hook' },
  ])
  expect(asked.guard[0]?.body.tools).toBeUndefined()
  expect(JSON.stringify(asked.guard[0]?.body.messages)).toContain('echo go away')
  const offered = asked.agent[0]?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)
  expect(offered).toEqual(['file_editor', 'finish'])
  expect(JSON.stringify(asked.agent[1]?.body.messages)).toContain('The readme.')
  expect(JSON.stringify(asked.main.at(-1)?.body.messages)).toContain('The README has no date.')
  const hooks = seen.of('HookExecutionEvent').map(event => [event.hook_command, event.success, event.blocked])
  expect(hooks).toEqual([
    ['prompt: guard', true, true],
    ['agent: Does the README have a date?', true, true],
    ['agent: Does the README have a date?', true, false],
  ])
  expect(seen.of('ActionEvent').map(({ tool_name }) => tool_name)).toEqual(['terminal', 'finish', 'finish'])

  const { by_model, total } = await service.client.call(getUsage, { query: { days: 1 } })
  const counts = Object.fromEntries(by_model.map(({ usage_id, prompt_tokens }) => [usage_id, prompt_tokens]))
  expect(counts).toMatchObject({ default: 300, 'prompt-hook:guard': 7, 'agent-hook:stop': 300 })
  expect(total.cost).toBeCloseTo(0.08)
  const shown = await service.client.call(getConversationHooks, { params: { conversation_id: id } })
  expect(shown.problems).toEqual([])
  expect(shown.hooks[0]?.matchers[0]?.hooks[0]).toMatchObject({ type: 'prompt', command: 'prompt: guard' })
  await seen.close()
})
