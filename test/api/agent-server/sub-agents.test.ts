import { expect } from 'vitest'
import { it as base } from '../../fixtures/gateway.ts'
import { said } from '../../parts/client/conversation.ts'
import { watchGateway } from '../../parts/client/watch-gateway.ts'

const it = base.extend('sandbox', { scope: 'file' }, ({ first }) => first.caller)

const tool = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })

/** As clients send it: with fields that it does not use. */
const REVIEWER = {
  name: 'reviewer',
  description: 'Reviews what has changed.',
  model: 'inherit',
  tools: ['grep'],
  skills: [],
  system_prompt: 'You find what is missing, and nothing else.',
  hooks: null,
  mcp_config: null,
  permission_mode: null,
  max_iteration_per_run: 7,
}

it('a sub-agent that the client describes is offered, and works as it is described, also in a fork', async ({
  sandbox,
  model,
}) => {
  const { body } = await sandbox.call('POST', '/api/conversations', {
    agent: { llm: {} },
    workspace: { working_dir: '/workspace/project' },
    agent_definitions: [REVIEWER, { ...REVIEWER, name: 'default' }],
  })
  const fork = await sandbox.call('POST', `/api/conversations/${body.id}/fork`, {})
  for (const id of [body.id, fork.body.id]) {
    const from = model.requests.length
    model.setScript([
      tool('task', { prompt: 'Look at it.', subagent_type: 'reviewer' }),
      tool('finish', { message: 'Tests are missing.' }),
      tool('finish', { message: 'Done.' }),
    ])
    await sandbox.call('POST', `/api/conversations/${id}/events`, { ...said('Go'), run: true })
    const seen = await watchGateway(sandbox, id, '?resend_mode=all')
    await seen.untilStatus('finished')
    await seen.close()
    const [agent, reviewer] = model.requests.slice(from).map(request => JSON.stringify(request.body))
    expect(agent).toContain(REVIEWER.description)
    expect(agent).not.toContain(REVIEWER.system_prompt)
    expect(reviewer).toContain(REVIEWER.system_prompt)
    expect(toolsOf(model.requests[from + 1]?.body)).toContain('grep')
    expect(toolsOf(model.requests[from + 1]?.body)).not.toContain('terminal')
    const { body: parent } = await sandbox.call('GET', `/api/conversations/${id}`)
    const child = await sandbox.call('GET', `/api/conversations/${parent.sub_conversation_ids[0]}`)
    expect(child.body.max_iterations).toBe(REVIEWER.max_iteration_per_run)
  }
})

function toolsOf(body: { tools?: { function: { name: string } }[] } | undefined): string[] {
  return (body?.tools ?? []).map(({ function: { name } }) => name)
}
