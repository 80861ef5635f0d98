import { describe, expect } from 'vitest'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { textOf } from '../../../server/event/model-messages.ts'
import { it } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const edit = (path: string) => call('planning_file_editor', { command: 'create', path, file_text: '# Plan\n' })
const finish = call('finish', { message: 'Done.' })

describe('a conversation that plans', () => {
  it('writes PLAN.md and nothing else, and another one builds from it in the same sandbox', async ({
    model,
    service,
  }) => {
    model.setScript([
      edit('/workspace/project/src.py'),
      call('terminal', { command: 'touch made-by-a-planner' }),
      edit('/workspace/project/.agents_tmp/PLAN.md'),
      finish,
      call('terminal', { command: 'ls; cat .agents_tmp/PLAN.md' }),
      finish,
    ])
    const plan = await startConversation(service, { agent_type: 'plan', initial_message: said('Plan it') })
    const planned = await watch(service, plan.app_conversation_id ?? '')
    await planned.untilStatus('finished')
    const asked = model.requests.at(-1)?.body
    const names = asked.tools.map((tool: { function: { name: string } }) => tool.function.name)
    expect(names).toContain('planning_file_editor')
    expect(names).not.toContain('terminal')
    expect(names).not.toContain('file_editor')
    const refused = planned.of('ObservationEvent').find(({ observation }) => observation.is_error)
    expect(textOf(refused?.observation.content ?? [])).toContain(
      'Only /workspace/project/.agents_tmp/PLAN.md may be written',
    )
    expect(planned.of('AgentErrorEvent')[0]?.error).toContain("Tool 'terminal' not found")

    const build = await startConversation(service, {
      parent_conversation_id: plan.app_conversation_id,
      initial_message: said('Build it'),
    })
    expect(build.sandbox_id).toBe(plan.sandbox_id)
    const built = await watch(service, build.app_conversation_id ?? '')
    await built.untilStatus('finished')
    expect(textOf(built.of('ObservationEvent')[0]?.observation.content ?? [])).toMatch(/^# Plan/)
    await built.close()
    await planned.close()
  })

  it('counts what summing up its steps costs under a name of its own', async ({ service, model }) => {
    await service.client.call(storeSettingsV1, { body: { condenser_max_size: 20 } })
    const thoughts = [...Array(14).keys()].map(index => call('think', { thought: `Thought ${index}` }))
    model.setScript([...thoughts, { text: 'A summary of it.' }, finish, finish, finish])
    const plan = await startConversation(service, { agent_type: 'plan', initial_message: said('Think it over') })
    const planned = await watch(service, plan.app_conversation_id ?? '')
    await planned.untilStatus('finished')
    const stats = planned.of('ConversationStateUpdateEvent').findLast(({ key }) => key === 'stats')
    expect(stats?.value).toMatchObject({
      usage_to_metrics: { default: expect.anything(), planning_condenser: expect.anything() },
    })
    expect(JSON.stringify(stats?.value)).not.toContain('"condenser"')
    await planned.close()
  })
})
