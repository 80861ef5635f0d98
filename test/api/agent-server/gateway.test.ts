import { describe, expect } from 'vitest'
import { it } from '../../fixtures/gateway.ts'
import { gatewayCaller } from '../../parts/client/gateway.ts'
import { FINISH, START, said, tool } from '../../parts/client/gateway-conversation.ts'
import { watchGateway } from '../../parts/client/watch-gateway.ts'

describe('who may call the gateway', () => {
  it('anyone asks whether it is there', async ({ app }) => {
    for (const path of ['/alive', '/health']) {
      const reply = await fetch(app.url + path)
      expect([reply.status, await reply.json()]).toEqual([200, { status: 'ok' }])
    }
    expect(await (await fetch(`${app.url}/ready`)).json()).toEqual({ status: 'ready' })
    for (const path of ['/server_info', '/']) {
      const info = await (await fetch(app.url + path)).json()
      expect(info).toMatchObject({ version: '1.44.0', atelier_version: '0.0.0-test' })
    }
  })

  it('nobody without a key, or with a wrong one', async ({ app, service }) => {
    expect((await fetch(`${app.url}/api/conversations/search`)).status).toBe(401)
    expect((await gatewayCaller(service, 'wrong').call('GET', '/api/conversations/search')).status).toBe(401)
  })

  it('nobody from a page of another site, even with the key', async ({ service, app }) => {
    const headers = { 'X-Session-API-Key': service.key, Origin: 'https://evil.example' }
    expect((await fetch(`${app.url}/api/conversations/search`, { headers })).status).toBe(403)
  })

  it('a key of a sandbox opens its conversations and no others, whatever is asked', async ({
    finished,
    first,
    second,
    app,
  }) => {
    const id = await finished(first.caller)
    const foreign = second.caller
    for (const path of ['', '/events/search', '/events/count', '/agent_final_response']) {
      expect((await foreign.call('GET', `/api/conversations/${id}${path}`)).status).toBe(404)
    }
    for (const path of ['/run', '/events/respond_to_confirmation', '/generate_title']) {
      expect((await foreign.call('POST', `/api/conversations/${id}${path}`, { accept: true })).status).toBe(404)
    }
    expect((await foreign.call('POST', `/api/conversations/${id}/pause`)).status).toBe(400)
    expect((await foreign.call('POST', `/api/conversations/${id}/events`, said('hi'))).status).toBe(404)
    expect((await foreign.call('DELETE', `/api/conversations/${id}`)).status).toBe(400)
    expect((await foreign.call('PATCH', `/api/conversations/${id}`, { title: 'x' })).body).toEqual({ success: false })
    expect((await foreign.call('GET', `/api/conversations?ids=${id}`)).body).toEqual([null])
    expect((await foreign.call('GET', '/api/conversations/count')).body).toBe(0)
    expect((await foreign.call('GET', '/api/conversations/search')).body.items).toEqual([])
    await expect((await watchGateway(foreign, id)).closed).resolves.toBe(4004)
    expect((await app.call('GET', `/api/conversations/${id}`)).status).toBe(200)
  })

  it('the key of a sandbox does not open the port of the app', async ({ first, service }) => {
    const headers = { 'X-Session-API-Key': first.caller.key }
    expect((await fetch(`${service.url}/api/v1/sandboxes/search`, { headers })).status).toBe(401)
  })
})

describe('a conversation', () => {
  it('is described in full, with dashed ids and without a key', async ({ model, finished, first }) => {
    const llm = { model: 'openai/scripted', base_url: model.url.openai, api_key: 'sk-of-this-conversation' }
    const id = await finished(first.caller, { agent: { kind: 'Agent', llm }, tags: { team: 'red' } })
    expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-of-this-conversation')
    const { body } = await first.caller.call('GET', `/api/conversations/${id.replaceAll('-', '')}`)
    expect(body).toMatchObject({
      id,
      agent: { kind: 'Agent', llm: { model: 'openai/scripted', api_key: '**********' } },
      workspace: { kind: 'LocalWorkspace', working_dir: '/workspace/project' },
      execution_status: 'finished',
      title: 'Say hello',
      tags: { team: 'red' },
      confirmation_policy: { kind: 'NeverConfirm' },
    })
    expect(body.stats.usage_to_metrics.default).toMatchObject({
      accumulated_token_usage: expect.anything(),
      costs: [{ model: 'scripted' }, { model: 'scripted' }],
    })
    expect(body.created_at).not.toMatch(/Z|[+]/)
    const everything = await first.caller.call('GET', `/api/conversations/${id}/events/search`)
    expect(JSON.stringify([body, everything.body])).not.toContain('sk-of-this-conversation')
  })

  it('is attached to when its id exists, and a second one is not made', async ({ finished, first }) => {
    const id = await finished(first.caller)
    const again = await first.caller.call('POST', '/api/conversations', { ...START, conversation_id: id })
    expect([again.status, again.body.id]).toEqual([200, id])
  })

  it('can be renamed, counted, found and deleted, and its sandbox stays', async ({ finished, first }) => {
    const id = await finished(first.caller)
    await first.caller.call('PATCH', `/api/conversations/${id}`, { title: 'Renamed', tags: { a: 'b' } })
    const { body } = await first.caller.call('GET', '/api/conversations/search?limit=1&status=finished')
    expect(body.items[0]).toMatchObject({ id, title: 'Renamed', tags: { a: 'b' } })
    expect(body.next_page_id).not.toBeNull()
    const count = (await first.caller.call('GET', '/api/conversations/count')).body
    expect(await first.caller.call('DELETE', `/api/conversations/${id}`)).toMatchObject({ body: { success: true } })
    expect((await first.caller.call('GET', '/api/conversations/count')).body).toBe(count - 1)
    expect((await first.caller.call('GET', `/api/conversations/${id}`)).status).toBe(404)
    await finished(first.caller)
  })

  it('gives its last word and a title', async ({ finished, first }) => {
    const id = await finished(first.caller)
    const { body } = await first.caller.call('GET', `/api/conversations/${id}/agent_final_response`)
    expect(body).toEqual({ response: 'All done.' })
    const title = await first.caller.call('POST', `/api/conversations/${id}/generate_title`, { max_length: 3 })
    expect(title.body).toEqual({ title: 'Say' })
  })

  it('is refused with 501 when it asks for what the agent does not have', async ({ first }) => {
    const asked = [
      { security_analyzer: { kind: 'GraySwanAnalyzer' } },
      { agent: { kind: 'ACPAgent' } },
      { plugins: [{ source: 'github:x/y' }] },
    ]
    for (const extra of asked) {
      const reply = await first.caller.call('POST', '/api/conversations', { ...START, ...extra })
      expect([reply.status, reply.body.code]).toEqual([501, 'not_supported'])
    }
  })

  it('is refused with 422 without an agent, with a bad id, with a bad bound and under a parent that is not there', async ({
    first,
  }) => {
    const { caller } = first
    const orphan = { ...START, parent_conversation_id: '0'.repeat(32) }
    const refused = await caller.call('POST', '/api/conversations', orphan)
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'parent_conversation_id'] }] } })
    expect((await caller.call('POST', '/api/conversations', { workspace: START.workspace })).status).toBe(422)
    expect((await caller.call('GET', '/api/conversations/not-an-id')).status).toBe(422)
    expect((await caller.call('GET', '/api/conversations/search?limit=101')).status).toBe(422)
  })

  it('runs in the same sandbox again when the app comes with its own key', async ({ app, service }) => {
    const one = await app.call('POST', '/api/conversations', START)
    const two = await app.call('POST', '/api/conversations', START)
    const shown = async (id: string) =>
      (
        await (
          await fetch(`${service.url}/api/v1/app-conversations?ids=${id}`, {
            headers: { 'X-Session-API-Key': service.key },
          })
        ).json()
      )[0]
    const [a, b] = [await shown(one.body.id), await shown(two.body.id)]
    expect(a.sandbox_id).toBe(b.sandbox_id)
    expect(a.conversation_url).toBe(`${app.url}/api/conversations/${a.id}`)
    expect(a.session_api_key).toBeTruthy()
  })
})

describe('running', () => {
  it('answers 409 while it runs, pauses between steps, and goes on', async ({ model, first }) => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    model.setScript(async (_request, index) => {
      if (index === 0) await held
      return index === 0 ? tool('think', { thought: 'Hm.' }) : FINISH
    })
    const { body } = await first.caller.call('POST', '/api/conversations', { ...START, initial_message: said('Go') })
    const again = await first.caller.call('POST', `/api/conversations/${body.id}/run`)
    expect(again).toMatchObject({
      status: 409,
      body: { detail: 'Conversation already running. Wait for completion or pause first.' },
    })
    const seen = await watchGateway(first.caller, body.id, '?resend_mode=all')
    expect((await first.caller.call('POST', `/api/conversations/${body.id}/pause`)).body).toEqual({ success: true })
    release()
    await seen.untilStatus('paused')
    expect((await first.caller.call('POST', `/api/conversations/${body.id}/run`)).status).toBe(200)
    await seen.untilStatus('finished')
    await seen.close()
  })

  it('does nothing in a conversation that has finished and was told nothing since', async ({ finished, first }) => {
    const id = await finished(first.caller)
    const before = (await first.caller.call('GET', `/api/conversations/${id}/events/count`)).body
    expect((await first.caller.call('POST', `/api/conversations/${id}/run`)).body).toEqual({ success: true })
    expect((await first.caller.call('GET', `/api/conversations/${id}/events/count`)).body).toBe(before)
  })

  it('has nothing to confirm, and says so', async ({ finished, first }) => {
    const id = await finished(first.caller)
    const path = `/api/conversations/${id}/events/respond_to_confirmation`
    expect((await first.caller.call('POST', path, { accept: true })).status).toBe(409)
  })

  it('keeps the policy and the analyzer that a client chooses, under each of their names', async ({
    finished,
    first,
  }) => {
    const id = await finished(first.caller, {
      confirmation_policy: { type: 'risky', threshold: 'MEDIUM', confirm_unknown: false },
    })
    const info = async () => (await first.caller.call('GET', `/api/conversations/${id}`)).body
    expect(await info()).toMatchObject({
      confirmation_policy: { kind: 'ConfirmRisky', threshold: 'MEDIUM', confirm_unknown: false },
      security_analyzer: null,
    })
    const policy = `/api/conversations/${id}/confirmation_policy`
    expect((await first.caller.call('POST', policy, { policy: { kind: 'AlwaysConfirm' } })).status).toBe(200)
    const analyzer = `/api/conversations/${id}/security_analyzer`
    await first.caller.call('POST', analyzer, { security_analyzer: { kind: 'LLMSecurityAnalyzer' } })
    expect(await info()).toMatchObject({
      confirmation_policy: { kind: 'AlwaysConfirm' },
      security_analyzer: { kind: 'LLMSecurityAnalyzer' },
    })
    for (const wrong of [{ kind: 'Sometimes' }, { kind: 'ConfirmRisky', threshold: 'UNKNOWN' }]) {
      expect((await first.caller.call('POST', policy, { policy: wrong })).status).toBe(400)
    }
  })

  it('goes on with another model after a switch', async ({ finished, first, model }) => {
    const id = await finished(first.caller)
    const llm = { model: 'openai/other', base_url: model.url.openai, api_key: 'sk-other-key' }
    expect((await first.caller.call('POST', `/api/conversations/${id}/switch_llm`, { llm })).status).toBe(200)
    model.setScript([FINISH])
    const asked = model.request(model.requests.length)
    await first.caller.call('POST', `/api/conversations/${id}/events`, { ...said('More'), run: true })
    expect(await asked).toMatchObject({ model: 'other', headers: { authorization: 'Bearer sk-other-key' } })
  })

  it('never sends the stored key to an address that a client names', async ({ service, model, finished, first }) => {
    await service.client.call((await import('../../../server/api/v1/settings/settings.ts')).storeSettings, {
      body: { llm_api_key: 'sk-stored-key' },
    })
    const elsewhere = model.url.openai.replace('127.0.0.1', 'localhost')
    await finished(first.caller, { agent: { llm: { model: 'openai/scripted', base_url: elsewhere } } })
    expect(JSON.stringify(model.requests.at(-1)?.headers)).not.toContain('sk-stored-key')
    await finished(first.caller)
    expect(JSON.stringify(model.requests.at(-1)?.headers)).toContain('sk-stored-key')
  })
})

describe('what is not there', () => {
  it('answers 501 with the reason', async ({ finished, first }) => {
    const id = await finished(first.caller)
    for (const path of ['goal', 'switch_acp_model']) {
      const reply = await first.caller.call('POST', `/api/conversations/${id}/${path}`, {})
      expect([path, reply.status, reply.body.code]).toEqual([path, 501, 'not_supported'])
    }
    for (const path of ['skills/installed/mine', 'plugins/installed/mine', 'workspaces?path=/elsewhere']) {
      expect([path, (await first.caller.call('DELETE', `/api/${path}`)).status]).toEqual([path, 501])
    }
    expect((await first.caller.call('GET', '/api/nothing')).status).toBe(404)
    expect((await first.caller.call('PUT', '/api/conversations/count')).status).toBe(405)
  })
})
