import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'
import { FINISH, said, tool } from '../../parts/client/gateway-conversation.ts'
import { watchGateway } from '../../parts/client/watch-gateway.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: { llm_model: 'scripted', llm_base_url: model.url.openai },
  }))
  .extend('gateway', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  .extend('converse', { scope: 'file' }, ({ gateway }) => async (text: string, extra: object = {}) => {
    const start = { agent: { kind: 'Agent', llm: {} }, workspace: { working_dir: FOLDER }, initial_message: said(text) }
    const { body } = await gateway.call('POST', '/api/conversations', { ...start, ...extra })
    const seen = await watchGateway(gateway, body.id, '?resend_mode=all')
    await seen.untilStatus('finished')
    await seen.close()
    const info = (await gateway.call('GET', `/api/conversations/${body.id}`)).body
    return { info, events: seen.frames }
  })

const FOLDER = '/workspace/skilled'
const FILES = {
  '.openhands/microagents/deploy.md': '---\nname: deploy\ntriggers: [deploy]\n---\nAsk Anna before you deploy.\n',
  '.agents/skills/make-tea/SKILL.md': '---\nname: make-tea\ndescription: Use for tea.\n---\nBoil water first.\n',
}

it.beforeAll(async ({ gateway }) => {
  for (const [path, content] of Object.entries(FILES)) {
    const form = new FormData()
    form.append('file', new Blob([content]), 'file')
    const address = `${gateway.url}/api/file/upload?path=${encodeURIComponent(`${FOLDER}/${path}`)}`
    const headers = { 'X-Session-API-Key': gateway.key }
    expect((await fetch(address, { method: 'POST', headers, body: form })).status).toBe(200)
  }
})

describe('what a conversation is described with', () => {
  it('has the skills that came in and that were read', async ({ model, converse }) => {
    model.setScript([tool('invoke_skill', { name: 'make-tea' }), FINISH])
    const { info } = await converse('Please deploy the kettle')
    expect(info).toMatchObject({ activated_knowledge_skills: ['deploy'], invoked_skills: ['make-tea'] })
  })

  it('has what hooks have blocked, and why', async ({ model, converse }) => {
    model.setScript([tool('terminal', { command: 'echo never' }), FINISH])
    const reason = (text: string) => ({ hooks: [{ command: `echo ${text} >&2; exit 2` }] })
    const { info, events } = await converse('Try', {
      hook_config: { PreToolUse: [{ matcher: 'terminal', ...reason('no-commands') }] },
    })
    const action = events.find(({ kind, tool_name }) => kind === 'ActionEvent' && tool_name === 'terminal')
    expect(info.blocked_actions).toEqual({ [action.id]: expect.stringContaining('no-commands') })
    const silent = await converse('Not a word', { hook_config: { UserPromptSubmit: [reason('no-messages')] } })
    const message = silent.events.find(({ kind }) => kind === 'MessageEvent')
    expect(silent.info.blocked_messages).toEqual({ [message.id]: expect.stringContaining('no-messages') })
  })

  it('has the cost, the time and the tokens of each answer, in the list and on the socket too', async ({
    model,
    converse,
    gateway,
  }) => {
    model.setScript([tool('terminal', { command: 'true' }), tool('terminal', { command: 'true' }), FINISH])
    const { info } = await converse('Work')
    const { costs, response_latencies, token_usages, accumulated_token_usage } = info.stats.usage_to_metrics.default
    expect([costs.length, response_latencies.length, token_usages.length]).toEqual([3, 3, 3])
    const sum = token_usages.reduce((tokens: number, one: { prompt_tokens: number }) => tokens + one.prompt_tokens, 0)
    expect(sum).toBe(accumulated_token_usage.prompt_tokens)
    for (const { latency } of response_latencies) expect(latency).toBeGreaterThan(0)
    expect(costs[0].timestamp).toBeGreaterThan(1.7e9)
    // Nobody knows the price of the scripted model.
    expect(info.stats.usage_to_metrics.default.accumulated_cost).toBeNull()
    expect(info.metrics.accumulated_cost).toBeNull()
    const { items } = (await gateway.call('GET', '/api/conversations/search?limit=1')).body
    expect(items[0].stats).toEqual(info.stats)
    const seen = await watchGateway(gateway, info.id)
    const state = await seen.until(frame => frame.key === 'full_state')
    await seen.close()
    expect(state.value.stats).toEqual(info.stats)
  })
})
