import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/gateway.ts'
import { said } from '../../parts/client/conversation.ts'
import { watchGateway } from '../../parts/client/watch-gateway.ts'

const it = base
  .extend('sandbox', { scope: 'file' }, ({ first }) => first.caller)
  .extend('start', { scope: 'file' }, ({ sandbox }) => (hook_config: unknown, working_dir = '/workspace/project') => {
    return sandbox.call('POST', '/api/conversations', { agent: { llm: {} }, workspace: { working_dir }, hook_config })
  })
  .extend('run', { scope: 'file' }, ({ sandbox }) => async (id: string) => {
    await sandbox.call('POST', `/api/conversations/${id}/events`, { ...said('Go'), run: true })
    const seen = await watchGateway(sandbox, id, '?resend_mode=all')
    await seen.untilStatus('finished')
    await seen.close()
    return seen.frames
  })

const tool = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const FINISH = tool('finish', { message: 'Done.' })

/** Blocks what writes to /tmp/forbidden, and says so. */
const GUARD = {
  matcher: 'terminal',
  hooks: [{ command: 'grep -q /tmp/forbidden && { echo "not there" >&2; exit 2; }; exit 0' }],
}

describe('hooks that a conversation starts with', () => {
  it.for<[string, object]>([
    ['in small letters', { pre_tool_use: [GUARD] }],
    ['as in a hooks file', { hooks: { PreToolUse: [GUARD] } }],
  ])('block what they object to and let the rest pass: %s', async ([_how, config], { start, model, run, sandbox }) => {
    const { body } = await start(config)
    expect(body.hook_config.pre_tool_use[0]).toMatchObject({ matcher: 'terminal' })
    model.setScript([
      tool('terminal', { command: 'touch /tmp/forbidden' }),
      tool('terminal', { command: 'echo let-$((40 + 2))-pass' }),
      FINISH,
    ])
    const frames = await run(body.id)
    expect(frames.find(({ kind }) => kind === 'UserRejectObservation')).toMatchObject({
      rejection_source: 'hook',
      rejection_reason: expect.stringContaining('not there'),
    })
    const passed = frames.find(({ kind, tool_name }) => kind === 'ObservationEvent' && tool_name === 'terminal')
    expect(passed.observation.output).toContain('let-42-pass')
    expect(
      (await sandbox.call('POST', '/api/bash/execute_bash_command', { command: 'ls /tmp/forbidden' })).body.exit_code,
    ).toBe(2)
  })

  it('run before those of the repository, and both are shown', async ({ sandbox, start, model, run, service }) => {
    const write = (text: string) => ({ command: `echo ${text} >>/tmp/order` })
    const file = JSON.stringify({ SessionStart: [{ hooks: [write('repository')] }] })
    const make = `mkdir -p /workspace/hooked/.openhands && echo '${file}' >/workspace/hooked/.openhands/hooks.json`
    await sandbox.call('POST', '/api/bash/execute_bash_command', { command: make })
    const { body } = await start({ session_start: [{ hooks: [write('client')] }] }, '/workspace/hooked')
    model.setScript([FINISH])
    await run(body.id)
    const { body: order } = await sandbox.call('POST', '/api/bash/execute_bash_command', { command: 'cat /tmp/order' })
    expect(order.stdout).toBe('client\nrepository\n')
    const shown = await fetch(`${service.url}/api/v1/app-conversations/${body.id}/hooks`, {
      headers: { 'X-Session-API-Key': service.key },
    })
    expect(JSON.stringify(await shown.json())).toMatch(/echo client.*echo repository/)
  })

  it('hold for a sub-agent too', async ({ start, model, run, sandbox }) => {
    const { body } = await start({ PreToolUse: [GUARD] })
    model.setScript([
      tool('task', { prompt: 'Write the file.' }),
      tool('terminal', { command: 'touch /tmp/forbidden' }),
      tool('finish', { message: 'It was not let.' }),
      FINISH,
    ])
    await run(body.id)
    const { body: parent } = await sandbox.call('GET', `/api/conversations/${body.id}`)
    const path = `/api/conversations/${parent.sub_conversation_ids[0]}/events/search?kind=UserRejectObservation`
    expect((await sandbox.call('GET', path)).body.items).toMatchObject([{ rejection_source: 'hook' }])
  })

  it('that do nothing are none', async ({ start }) => {
    expect((await start({ stop: [] })).body.hook_config).toBeNull()
    expect((await start({})).body.hook_config).toBeNull()
    expect((await start(null)).body.hook_config).toBeNull()
  })

  it.for<[string, object, RegExp]>([
    ['an unknown moment', { BeforeLunch: [] }, /BeforeLunch/],
    ['keys beside "hooks"', { hooks: {}, others: {} }, /beside/],
    ['no command', { stop: [{ hooks: [{ type: 'command' }] }] }, /without a command/],
    ['an endless time', { stop: [{ hooks: [{ command: 'true', timeout: 1e9 }] }] }, /timeout/],
  ])('are refused with %s', async ([_what, config, words], { start }) => {
    const reply = await start(config)
    expect([reply.status, reply.body.detail]).toEqual([400, expect.stringMatching(words)])
  })
})
