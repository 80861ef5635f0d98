import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/gateway.ts'
import { said } from '../../parts/client/conversation.ts'
import { gatewayCaller, startGatewaySandbox } from '../../parts/client/gateway.ts'
import { watchGateway } from '../../parts/client/watch-gateway.ts'

const it = base
  // Both are replaced where the service is restarted, which then has another port.
  .extend('callers', { scope: 'file' }, async ({ service }) => ({
    first: (await startGatewaySandbox(service)).caller,
    second: (await startGatewaySandbox(service)).caller,
  }))
  /** A conversation that begins, and is watched from its beginning on. */
  .extend('begin', { scope: 'file' }, ({ callers }) => async (client_tools: object[], extra: object = {}) => {
    const { first } = callers
    const request = { ...START, client_tools, initial_message: said('Go'), ...extra }
    const started = await first.call('POST', '/api/conversations', request)
    expect([started.status, started.body.detail]).toEqual([201, undefined])
    const id: string = started.body.id
    const seen = await watchGateway(first, id, '?resend_mode=all')
    const answer = (body: object, caller = first) =>
      caller.call('POST', `/api/conversations/${id}/events/client_tool_result`, body)
    const action = (name: string) => seen.until(frame => frame.kind === 'ActionEvent' && frame.tool_name === name, name)
    const result = (name: string) =>
      seen.until(
        ({ kind, tool_name }) => (kind === 'ObservationEvent' || kind === 'AgentErrorEvent') && tool_name === name,
        `the result of ${name}`,
      )
    return { id, info: started.body, seen, answer, action, result }
  })

const START = { agent: { kind: 'Agent', llm: {} }, workspace: { working_dir: '/workspace/project' } }
const tool = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const FINISH = tool('finish', { message: 'Done.' })

const SHOW = {
  name: 'show_page',
  description: 'Shows a page to the user.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, zoom: { enum: [1, 2] } },
    required: ['path'],
    additionalProperties: false,
  },
}
const ASK = { ...SHOW, name: 'ask_user', awaits_result: true }

describe('a tool of the client', () => {
  it('is offered as it is declared, and its call reaches the client with its arguments, as of agent servers', async ({
    model,
    begin,
  }) => {
    model.setScript([tool('show_page', { path: '/a', zoom: 2, summary: 'Show it' }), FINISH])
    const { info, seen, action, result } = await begin([SHOW])
    expect(await action('show_page')).toMatchObject({
      action: { kind: 'ClientAction_show_page', path: '/a', zoom: 2 },
      summary: 'Show it',
    })
    expect((await result('show_page')).observation).toMatchObject({
      kind: 'ClientToolObservation',
      content: [{ type: 'text', text: 'Tool call dispatched to client.' }],
      is_error: false,
    })
    await seen.untilStatus('finished')
    await seen.close()
    const offered = JSON.stringify(model.requests.at(-1)?.body)
    expect(offered).toContain('"additionalProperties":false')
    expect(offered).toContain('Shows a page to the user.')
    expect(info.client_tools).toEqual([
      expect.objectContaining({ ...SHOW, agent_tool_name: 'show_page', awaits_result: false }),
    ])
  })

  it('that is called with wrong arguments never reaches the client, and the agent is told which', async ({
    model,
    begin,
  }) => {
    model.setScript([tool('show_page', { path: 7, zoom: 3 }), FINISH])
    const { seen, action, result } = await begin([SHOW])
    expect((await result('show_page')).error).toMatch(/Error validating tool 'show_page'.*zoom/s)
    expect((await action('show_page')).action).toBeUndefined()
    await seen.untilStatus('finished')
    await seen.close()
  })

  it('gets another name where its own is ours, and the client is told which', async ({ model, begin }) => {
    model.setScript([tool('client_terminal', { path: '/a' }), FINISH])
    const { info, seen, action } = await begin([{ ...SHOW, name: 'terminal' }])
    expect(info.client_tools[0]).toMatchObject({ name: 'terminal', agent_tool_name: 'client_terminal' })
    expect((await action('client_terminal')).action.path).toBe('/a')
    await seen.untilStatus('finished')
    await seen.close()
  })

  it.for<[string, object[]]>([
    ['two of one name', [SHOW, SHOW]],
    ['no object schema', [{ ...SHOW, parameters: { type: 'string' } }]],
    ['no description', [{ name: 'x' }]],
    ['a name that no provider takes', [{ ...SHOW, name: 'a b' }]],
    ['too many', Array.from({ length: 51 }, (_, index) => ({ ...SHOW, name: `tool_${index}` }))],
  ])('is refused: %s', async ([_what, client_tools], { callers: { first } }) => {
    const reply = await first.call('POST', '/api/conversations', { ...START, client_tools })
    expect([reply.status, reply.body.detail[0].loc.slice(0, 2)]).toEqual([422, ['body', 'client_tools']])
  })
})

describe('a fork that a person makes in the app', () => {
  it('has the tools, the hooks and the model that the client brought, and its key', async ({
    model,
    begin,
    service,
    callers: { first },
  }) => {
    const llm = {
      model: 'openai/of-the-client',
      base_url: model.url.openai.replace('127.0.0.1', 'localhost'),
      api_key: 'sk-brought',
    }
    const guard = { pre_tool_use: [{ matcher: 'terminal', hooks: [{ command: 'exit 2' }] }] }
    model.setScript([FINISH])
    const { id, seen } = await begin([SHOW], { agent: { llm }, hook_config: guard })
    await seen.untilStatus('finished')
    await seen.close()
    const { id: fork } = await (
      await fetch(`${service.url}/api/v1/app-conversations/${id}/fork`, {
        method: 'POST',
        headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
        body: '{}',
      })
    ).json()
    model.setScript([tool('terminal', { command: 'true' }), tool('show_page', { path: '/k' }), FINISH])
    const asked = model.request(model.requests.length)
    const again = await watchGateway(first, fork)
    await first.call('POST', `/api/conversations/${fork}/events`, { ...said('Again'), run: true })
    expect(await asked).toMatchObject({ model: 'of-the-client', headers: { authorization: 'Bearer sk-brought' } })
    await again.until(frame => frame.kind === 'UserRejectObservation' && frame.rejection_source === 'hook')
    await again.until(frame => frame.kind === 'ActionEvent' && frame.tool_name === 'show_page' && frame.action)
    await again.untilStatus('finished')
    await again.close()
  })
})

describe('a tool whose result is awaited', () => {
  it('keeps the agent waiting until the client answers, which reaches the model', async ({
    model,
    begin,
    callers: { first },
  }) => {
    model.setScript([tool('ask_user', { path: '/b' }), FINISH])
    const { id, seen, answer, action, result } = await begin([ASK])
    const { id: action_id } = await action('ask_user')
    expect((await first.call('GET', `/api/conversations/${id}`)).body.execution_status).toBe('running')
    const busy = await first.call('POST', `/api/conversations/${id}/run`)
    expect(busy.status).toBe(409)
    expect(await answer({ action_id, content: 'The user said yes.' })).toEqual({ status: 200, body: { success: true } })
    expect((await result('ask_user')).observation).toMatchObject({
      content: [{ type: 'text', text: 'The user said yes.' }],
      is_error: false,
    })
    await seen.untilStatus('finished')
    await seen.close()
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('The user said yes.')
    const late = await answer({ action_id, content: 'No!' })
    expect([late.status, late.body.code]).toEqual([409, 'conflict'])
  })

  it('may fail, with words and pictures, without the secrets that it shows', async ({ model, begin }) => {
    model.setScript([tool('ask_user', { path: '/c' }), FINISH])
    const { seen, answer, action, result } = await begin([ASK], { secrets: { KEY: 'value-of-the-key' } })
    const { id: action_id } = await action('ask_user')
    const picture = { type: 'image', image_urls: ['data:image/png;base64,iVBORw0KGgo='] }
    await answer({ action_id, content: [{ type: 'text', text: 'No: value-of-the-key' }, picture], is_error: true })
    expect((await result('ask_user')).observation).toMatchObject({
      content: [{ type: 'text', text: 'No: <secret-hidden>' }, picture],
      is_error: true,
    })
    await seen.untilStatus('finished')
    await seen.close()
  })

  it('is answered with an error when its time is over, and the agent goes on', async ({ model, begin }) => {
    model.setScript([tool('ask_user', { path: '/d' }), FINISH])
    const { seen, answer, action, result } = await begin([{ ...ASK, timeout: 0.01 }])
    const { id: action_id } = await action('ask_user')
    const { observation } = await result('ask_user')
    expect([observation.is_error, observation.content[0].text]).toEqual([true, expect.stringContaining('in time')])
    await seen.untilStatus('finished')
    await seen.close()
    expect((await answer({ action_id, content: 'late' })).status).toBe(409)
  })

  it('ends with an interrupt: the call has one result, and the conversation is paused', async ({
    model,
    begin,
    callers: { first },
  }) => {
    model.setScript([tool('ask_user', { path: '/e' })])
    const { id, seen, answer, action, result } = await begin([ASK])
    const { id: action_id } = await action('ask_user')
    await first.call('POST', `/api/conversations/${id}/interrupt`)
    expect((await result('ask_user')).error).toContain('stopped')
    await seen.untilStatus('paused')
    await seen.close()
    expect((await answer({ action_id, content: 'late' })).status).toBe(409)
  })

  it('is answered with an error after a restart, and can be called again', async ({
    model,
    begin,
    service,
    callers,
  }) => {
    model.setScript([tool('ask_user', { path: '/f' })])
    const before = await begin([ASK])
    const { id: action_id } = await before.action('ask_user')
    await service.restart()
    const first = gatewayCaller(service, callers.first.key)
    callers.first = first
    callers.second = gatewayCaller(service, callers.second.key)
    model.setScript([tool('ask_user', { path: '/g' }), FINISH])
    const path = `/api/conversations/${before.id}`
    expect((await first.call('GET', path)).body.execution_status).toBe('paused')
    const answer = (id: string) =>
      first.call('POST', `${path}/events/client_tool_result`, { action_id: id, content: 'yes' })
    expect((await answer(action_id)).status).toBe(409)
    const seen = await watchGateway(first, before.id)
    await first.call('POST', `${path}/run`)
    const again = await seen.until(frame => frame.kind === 'ActionEvent' && frame.tool_name === 'ask_user')
    expect((await answer(again.id)).status).toBe(200)
    await seen.untilStatus('finished')
    await seen.close()
  })

  it('waits for a person first where calls are confirmed, and takes no answer before', async ({
    model,
    begin,
    callers: { first },
  }) => {
    model.setScript([tool('ask_user', { path: '/h' }), FINISH])
    const { id, seen, answer, action, result } = await begin([ASK], { confirmation_policy: { kind: 'AlwaysConfirm' } })
    const { id: action_id } = await action('ask_user')
    await seen.untilStatus('waiting_for_confirmation')
    const early = await answer({ action_id, content: 'too early' })
    expect([early.status, early.body.detail]).toEqual([409, expect.stringContaining('not accepted')])
    await first.call('POST', `/api/conversations/${id}/events/respond_to_confirmation`, { accept: true })
    expect((await answer({ action_id, content: 'now' })).status).toBe(200)
    expect((await result('ask_user')).observation.content[0].text).toBe('now')
    await seen.untilStatus('finished')
    await seen.close()
  })

  it('is rated by the rules like any call that leaves the sandbox', async ({ model, begin, callers: { first } }) => {
    model.setScript([tool('ask_user', { path: '/i' }), FINISH])
    const policy = { kind: 'ConfirmRisky', threshold: 'MEDIUM', confirm_unknown: true }
    const extra = { confirmation_policy: policy, security_analyzer: { kind: 'PatternSecurityAnalyzer' } }
    const { id, seen, action } = await begin([ASK], extra)
    expect((await action('ask_user')).security_risk).toBe('MEDIUM')
    await seen.untilStatus('waiting_for_confirmation')
    const reject = { accept: false, reason: 'Not now.' }
    await first.call('POST', `/api/conversations/${id}/events/respond_to_confirmation`, reject)
    await seen.until(frame => frame.kind === 'UserRejectObservation')
    await seen.close()
  })

  it('is answered by nobody without the key of its sandbox, and not twice or under another id', async ({
    model,
    begin,
    callers: { second },
    service,
  }) => {
    model.setScript([tool('ask_user', { path: '/j' }), FINISH])
    const { seen, answer, action } = await begin([ASK])
    const { id: action_id } = await action('ask_user')
    const body = { action_id, content: 'mine' }
    expect((await answer(body, second)).status).toBe(404)
    expect((await answer(body, gatewayCaller(service, 'wrong'))).status).toBe(401)
    expect((await answer({ ...body, action_id: 'nothing' })).status).toBe(404)
    expect((await answer({ content: 'x' })).status).toBe(422)
    const both = await Promise.all([answer(body), answer(body)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    await seen.untilStatus('finished')
    await seen.close()
  })
})
