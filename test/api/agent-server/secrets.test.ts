import { afterEach, describe, expect } from 'vitest'
import { createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, settled } from '../../parts/client/conversation.ts'
import { type GatewayCaller, gatewayCaller, startGatewaySandbox } from '../../parts/client/gateway.ts'
import { sandboxKeyOf } from '../../parts/client/tool-servers.ts'
import { watchGateway } from '../../parts/client/watch-gateway.ts'
import { filesWith } from '../../parts/secret/kept-secrets.ts'
import { createLockableVault } from '../../parts/secret/lockable-vault.ts'
import { startSecretServer } from '../../parts/secret/lookup-server.ts'

const vault = createLockableVault()

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    vault,
    settings: { llm_model: 'scripted', llm_base_url: model.url.openai, allowed_hosts: ['127.0.0.1', 'localhost'] },
  }))
  .extend('first', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  .extend('second', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  /** Lets the agent carry out one command. @returns what it saw of it, and all events as the client reads them */
  .extend('command', { scope: 'file' }, ({ model }) => async (caller: GatewayCaller, id: string, line: string) => {
    model.setScript([tool('terminal', { command: line }), FINISH])
    const count = (await caller.call('GET', `/api/conversations/${id}/events/count`)).body
    await caller.call('POST', `/api/conversations/${id}/events`, { ...said('Go on'), run: true })
    const seen = await watchGateway(caller, id, '?resend_mode=all')
    const isResult = ({ kind, tool_name }: { kind: string; tool_name?: string }) =>
      (kind === 'ObservationEvent' || kind === 'AgentErrorEvent') && tool_name === 'terminal'
    const result = await seen.until(frame => isResult(frame) && seen.frames.indexOf(frame) > count, 'a result')
    await seen.untilStatus('finished')
    await seen.close()
    const events = await caller.call('GET', `/api/conversations/${id}/events/search`)
    return { result, output: result.observation?.output ?? result.error, events: JSON.stringify(events.body) }
  })
  .extend('afar', { scope: 'file' }, async ({}, { onCleanup }) => {
    const afar = await startSecretServer()
    onCleanup(() => {
      afar.close()
    })
    return afar
  })

afterEach(() => vault.unlock())

const START = { agent: { kind: 'Agent', llm: {} }, workspace: { working_dir: '/workspace/project' } }
const tool = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const FINISH = tool('finish', { message: 'Done.' })
const stored = () => vault.entries().map(([, value]) => value)

async function start(caller: GatewayCaller, extra: object): Promise<string> {
  const started = await caller.call('POST', '/api/conversations', { ...START, ...extra })
  expect([started.status, started.body.detail]).toEqual([201, undefined])
  return started.body.id
}

async function fileOf(caller: GatewayCaller, path: string): Promise<string> {
  const reply = await fetch(`${caller.url}/api/file/download?path=${path}`, {
    headers: { 'X-Session-API-Key': caller.key },
  })
  return reply.text()
}

describe('secrets that a conversation starts with', () => {
  it('are given to the command that names them, hidden everywhere, and kept in the vault alone', async ({
    first,
    command,
    model,
    service,
  }) => {
    const id = await start(first, {
      secrets: {
        DEPLOY_KEY: 'value-of-deploy-key',
        OTHER: { value: 'value-of-other', description: 'For the other service' },
        THIRD: { kind: 'StaticSecret', value: 'value-of-third', description: null },
      },
      agent: { llm: {}, agent_context: { secrets: { FROM_CONTEXT: 'value-from-context' } } },
    })
    const line =
      'printf "%s/%s" "$DEPLOY_KEY" "$OTHER" >/tmp/given; echo "$DEPLOY_KEY and ${THIRD:-nothing}" # FROM_CONTEXT'
    const { output, events } = await command(first, id, line)
    expect(output).toContain('<secret-hidden> and <secret-hidden>')
    expect(await fileOf(first, '/tmp/given')).toBe('value-of-deploy-key/value-of-other')
    const info = (await first.call('GET', `/api/conversations/${id}`)).body
    expect(info.secret_registry.secret_sources).toEqual({
      FROM_CONTEXT: { kind: 'StaticSecret', description: null, value: '**********' },
      DEPLOY_KEY: { kind: 'StaticSecret', description: null, value: '**********' },
      OTHER: { kind: 'StaticSecret', description: 'For the other service', value: '**********' },
      THIRD: { kind: 'StaticSecret', description: null, value: '**********' },
    })
    expect(JSON.stringify(model.requests.at(-1))).toContain('For the other service')
    const told = events + JSON.stringify(info) + JSON.stringify(model.requests)
    for (const value of ['value-of-deploy-key', 'value-of-other', 'value-of-third', 'value-from-context']) {
      expect([value, told.includes(value)]).toEqual([value, false])
      expect(filesWith(service.dataDir, value)).toEqual([])
      expect(stored().some(item => item.includes(value))).toBe(true)
    }
  })

  it('are no other conversation’s, be it in the same sandbox', async ({ first, command }) => {
    const id = await start(first, { secrets: { ONLY_HERE: 'value-only-here' } })
    const neighbour = await start(first, {})
    expect((await command(first, neighbour, 'echo "[${ONLY_HERE:-nothing}]"')).output).toContain('[nothing]')
    expect((await command(first, id, 'echo "[${ONLY_HERE:-nothing}]"')).output).toContain('[<secret-hidden>]')
  })

  it('win over the user’s own of the same name', async ({ service, first, command }) => {
    await fetch(`${service.url}/api/secrets`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'SHARED', value: 'of-the-user' }),
    })
    const id = await start(first, { secrets: { SHARED: 'of-the-conversation' } })
    await command(first, id, 'printf %s "$SHARED" >/tmp/shared')
    expect(await fileOf(first, '/tmp/shared')).toBe('of-the-conversation')
    const other = await start(first, {})
    await command(first, other, 'printf %s "$SHARED" >/tmp/shared')
    expect(await fileOf(first, '/tmp/shared')).toBe('of-the-user')
  })

  it('go with a fork, and with the conversation when it is deleted', async ({ first, command }) => {
    const id = await start(first, { secrets: { FORKED: 'value-of-forked' } })
    const fork = (await first.call('POST', `/api/conversations/${id}/fork`, {})).body.id
    await first.call('DELETE', `/api/conversations/${id}`)
    await command(first, fork, 'printf %s "$FORKED" >/tmp/forked')
    expect(await fileOf(first, '/tmp/forked')).toBe('value-of-forked')
    await first.call('DELETE', `/api/conversations/${fork}`)
    // The next write to the vault comes after what was given up before it was deleted.
    await start(first, { secrets: { NEXT: 'value-of-next' } })
    expect(stored().some(item => item.includes('value-of-forked'))).toBe(false)
  })

  it.for<[number, object, RegExp]>([
    [400, { PATH: 'some-value' }, /Choose another name/],
    [422, { 'A\nB': 'some-value' }, /secrets/],
    [422, { A: 'a\0b' }, /secrets/],
    [422, { A: { kind: 'LookupSecret', url: '/relative' } }, /secrets/],
    [422, { A: { kind: 'LookupSecret', url: 'file:///etc/passwd' } }, /secrets/],
    [422, { A: { kind: 'LookupSecret', url: 'http://x', headers: { 'X-Y': 'a\r\nb' } } }, /secrets/],
  ])('are refused with %i: %j', async ([status, secrets, words], { first }) => {
    const id = await start(first, {})
    const reply = await first.call('POST', `/api/conversations/${id}/secrets`, { secrets })
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([status, expect.stringMatching(words)])
    expect(JSON.stringify(reply.body)).not.toMatch(/some-value|passwd/)
  })

  it('keep it from starting while the keychain is locked, and say why', async ({ first }) => {
    vault.lock()
    const reply = await first.call('POST', '/api/conversations', { ...START, secrets: { A: 'value-of-a' } })
    expect(reply).toMatchObject({ status: 503, body: { code: 'keychain_locked' } })
    vault.unlock()
    expect(stored().some(item => item.includes('value-of-a'))).toBe(false)
  })

  it('that another server has encrypted are refused', async ({ first }) => {
    const reply = await first.call('POST', '/api/conversations', {
      ...START,
      secrets: { A: 'x' },
      secrets_encrypted: true,
    })
    expect([reply.status, reply.body.code]).toEqual([501, 'not_supported'])
  })
})

describe('secrets that are given later', () => {
  it('are added and replaced; a mask and an empty value keep what is stored', async ({ first, command }) => {
    const id = await start(first, { secrets: { TOKEN: 'value-number-1' } })
    const give = (secrets: object) => first.call('POST', `/api/conversations/${id}/secrets`, { secrets })
    expect(await give({ LATER: 'value-of-later', TOKEN: '**********' })).toEqual({
      status: 200,
      body: { success: true },
    })
    await command(first, id, 'printf "%s/%s" "$TOKEN" "$LATER" >/tmp/later')
    expect(await fileOf(first, '/tmp/later')).toBe('value-number-1/value-of-later')
    await give({ TOKEN: { value: 'value-number-2' }, LATER: { value: '', description: 'Told anew' } })
    await command(first, id, 'printf "%s/%s" "$TOKEN" "$LATER" >/tmp/later')
    expect(await fileOf(first, '/tmp/later')).toBe('value-number-2/value-of-later')
    const { body } = await first.call('GET', `/api/conversations/${id}`)
    expect(body.secret_registry.secret_sources.LATER.description).toBe('Told anew')
    expect(stored().some(item => item.includes('value-number-1'))).toBe(false)
  })

  it('stay readable when one is named like what every object has, with a mask for its value', async ({
    first,
    command,
  }) => {
    const id = await start(first, { secrets: { TOKEN: 'value-number-3' } })
    const odd = { constructor: '', toString: '**********' }
    expect((await first.call('POST', `/api/conversations/${id}/secrets`, { secrets: odd })).status).toBe(200)
    await command(first, id, 'printf %s "$TOKEN" >/tmp/odd')
    expect(await fileOf(first, '/tmp/odd')).toBe('value-number-3')
  })

  it('are not taken from the key of another sandbox, without a key, or for a conversation that is not there', async ({
    first,
    second,
    service,
  }) => {
    const id = await start(first, {})
    const body = { secrets: { A: 'any-value' } }
    expect((await second.call('POST', `/api/conversations/${id}/secrets`, body)).status).toBe(404)
    const wrong = gatewayCaller(service, 'wrong')
    expect((await wrong.call('POST', `/api/conversations/${id}/secrets`, body)).status).toBe(401)
    expect((await first.call('POST', `/api/conversations/${'0'.repeat(32)}/secrets`, body)).status).toBe(404)
    expect((await first.call('GET', `/api/conversations/${id}`)).body.secret_registry.secret_sources).toEqual({})
  })

  it('are refused while the keychain is locked, with a next step, and nothing changes', async ({ first, command }) => {
    const id = await start(first, { secrets: { TOKEN: 'value-before' } })
    vault.lock()
    const refused = await first.call('POST', `/api/conversations/${id}/secrets`, { secrets: { TOKEN: 'value-after' } })
    expect(refused).toMatchObject({ status: 503, body: { code: 'keychain_locked' } })
    vault.unlock()
    await command(first, id, 'printf %s "$TOKEN" >/tmp/locked')
    expect(await fileOf(first, '/tmp/locked')).toBe('value-before')
  })

  it('outlive a restart, and are hidden before a command has named them', async ({
    first,
    second,
    service,
    command,
  }) => {
    const id = await start(first, { secrets: { LASTING: 'value-that-lasts' } })
    await service.restart()
    const again = gatewayCaller(service, first.key)
    const spelled = await command(again, id, 'echo value-that-"lasts"')
    expect(spelled.output).toContain('<secret-hidden>')
    await command(again, id, 'printf %s "$LASTING" >/tmp/lasting')
    expect(await fileOf(again, '/tmp/lasting')).toBe('value-that-lasts')
    // The service has another port now.
    Object.assign(first, again)
    Object.assign(second, gatewayCaller(service, second.key))
  })
})

describe('secrets that are looked up', () => {
  const lookup = (url: string) => ({
    kind: 'LookupSecret',
    url,
    headers: { 'X-Access-Token': 'token-of-the-lookup' },
  })

  it('are had from their address when a command names them, and no sooner', async ({
    afar,
    first,
    command,
    service,
  }) => {
    afar.asked = []
    afar.status = 200
    const id = await start(first, { secrets: { AFAR: lookup(`${afar.url}/one`) } })
    await command(first, id, 'echo nothing of it')
    expect(afar.asked).toEqual([])
    const { output } = await command(
      first,
      id,
      'printf %s "$AFAR" >/tmp/afar; echo "$AFAR"; echo token-of-the-"lookup"',
    )
    expect(afar.asked).toEqual(['token-of-the-lookup'])
    expect(await fileOf(first, '/tmp/afar')).toBe('value-from-afar')
    expect(output).toMatch(/<secret-hidden>\s+<secret-hidden>/)
    expect(filesWith(service.dataDir, 'token-of-the-lookup')).toEqual([])
    const { body } = await first.call('GET', `/api/conversations/${id}`)
    expect(body.secret_registry.secret_sources.AFAR).toMatchObject({ kind: 'LookupSecret', url: '**********' })
  })

  it('that cannot be had keep the command from running, and the agent is told', async ({ afar, first, command }) => {
    afar.asked = []
    afar.status = 500
    const id = await start(first, { secrets: { AFAR: lookup(`${afar.url}/two`) } })
    const { result, events } = await command(first, id, 'touch /tmp/ran-without; echo $AFAR')
    expect(result).toMatchObject({ kind: 'AgentErrorEvent', error: expect.stringContaining('The secret AFAR') })
    expect(result.error).toContain('status 500')
    expect(events).not.toContain('token-of-the-lookup')
    expect((await command(first, id, 'ls /tmp/ran-without')).output).toContain('No such file')
  })
})

describe('a conversation of the app', () => {
  it('takes secrets too, and no start task shows them', async ({ service, command }) => {
    const begun = await service.client.call(createAppConversation, { body: { secrets: { V1_KEY: 'value-of-v1-key' } } })
    expect(JSON.stringify(begun)).not.toContain('value-of-v1-key')
    const task = await settled(service, begun)
    const id = task.app_conversation_id ?? ''
    const caller = gatewayCaller(service, await sandboxKeyOf(service, id))
    await command(caller, id, 'printf %s "$V1_KEY" >/tmp/v1')
    expect(await fileOf(caller, '/tmp/v1')).toBe('value-of-v1-key')
    expect(JSON.stringify(task)).not.toContain('V1_KEY')
    expect(filesWith(service.dataDir, 'value-of-v1-key')).toEqual([])
  })

  it('that does not start leaves no secret behind', async ({ service }) => {
    const body = { secrets: { GONE: 'value-of-gone' }, selected_repository: 'http://127.0.0.1:1/nothing.git' }
    const task = await settled(service, await service.client.call(createAppConversation, { body }))
    expect(task.status).toBe('ERROR')
    expect(stored().some(item => item.includes('value-of-gone'))).toBe(false)
  })
})
