import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Observation } from '../../server/api/event/observations.ts'
import type { HookOutcome, LoggedCall } from '../../server/domain/hooks.ts'
import { readHooks } from '../../server/domain/hooks-config.ts'
import { Hooks } from '../../server/knowledge/hooks.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { startTestSandbox, type TestSandbox } from '../parts/engine/sandbox.ts'

let sandbox: TestSandbox
let opened = 0
beforeAll(async () => {
  sandbox = await startTestSandbox()
  await sandbox.handle.exec({ argv: ['mkdir', '-p', '/w'] })
})
afterAll(() => sandbox?.close())

const signal = new AbortController().signal
const SECRET = 'hunter2-hunter2'

function hooksOf(file: Record<string, unknown>): Hooks {
  const { config, problems } = readHooks(JSON.stringify(file))
  const { mask } = createMask([SECRET])
  return new Hooks({
    config: () => config,
    problems: () => problems,
    sandbox: async () => {
      opened++
      return sandbox.handle
    },
    sessionId: 'c0ffee',
    workingDir: '/w',
    mask,
  })
}

const each = (...commands: string[]) => [{ hooks: commands.map(command => ({ command })) }]

function aCall(command = 'ls', tool = 'terminal'): LoggedCall {
  return {
    kind: 'ActionEvent',
    id: 'action-1',
    seq: 3,
    timestamp: '2026-01-01T00:00:00Z',
    source: 'agent',
    tool_name: tool,
    tool_call_id: 'call-1',
    thought: [],
    thinking_blocks: [],
    action: { kind: 'TerminalAction', command, is_input: false, reset: false },
    tool_call: { id: 'call-1', name: tool, arguments: '{}', origin: 'completion' },
    llm_response_id: 'r',
    security_risk: 'UNKNOWN',
  }
}

const OBSERVATION: Observation = {
  kind: 'ThinkObservation',
  content: [{ type: 'text', text: 'seen' }],
  is_error: false,
}
const JSON_HOOK = (value: object) => `cat >/dev/null; printf '%s' '${JSON.stringify(value)}'`
const only = ({ events }: HookOutcome) => {
  expect(events).toHaveLength(1)
  return events[0]
}

describe('a hook', () => {
  it('is told what happens, on its input and in its environment', async () => {
    const hooks = hooksOf({
      PreToolUse: each('cat; echo; env | grep ^OPENHANDS_ | sort; pwd'),
    })
    const { events, blocked, context } = await hooks.preToolUse(aCall('rm x'), signal)
    const [input = '', ...rest] = events[0]?.stdout?.split('\n') ?? []
    expect(JSON.parse(input)).toEqual({
      event_type: 'PreToolUse',
      tool_name: 'terminal',
      tool_input: { command: 'rm x', is_input: false, reset: false },
      tool_response: null,
      message: null,
      session_id: 'c0ffee',
      working_dir: '/w',
      metadata: {},
    })
    expect(rest).toEqual([
      'OPENHANDS_EVENT_TYPE=PreToolUse',
      'OPENHANDS_PROJECT_DIR=/w',
      'OPENHANDS_SESSION_ID=c0ffee',
      'OPENHANDS_TOOL_NAME=terminal',
      '/w',
      '',
    ])
    expect(events[0]).toMatchObject({ source: 'hook', success: true, exit_code: 0, action_id: 'action-1' })
    expect([blocked, context]).toEqual([null, null])
  })

  it('blocks with exit code 2, and says why', async () => {
    const outcome = await hooksOf({ pre_tool_use: each('echo "not here" >&2; exit 2') }).preToolUse(aCall(), signal)
    expect(outcome.blocked).toBe('not here')
    expect(only(outcome)).toMatchObject({ success: false, blocked: true, exit_code: 2, reason: 'not here' })
  })

  it('blocks with a decision', async () => {
    const hook = JSON_HOOK({ decision: 'deny', reason: 'Friday' })
    const outcome = await hooksOf({ PreToolUse: each(hook) }).preToolUse(aCall(), signal)
    expect(outcome.blocked).toBe('Friday')
    expect(only(outcome)).toMatchObject({ success: true, blocked: true })
    const silent = await hooksOf({ PreToolUse: each('exit 2') }).preToolUse(aCall(), signal)
    expect(silent.blocked).toContain('exit 2')
  })

  it('lets everything go on when it fails, is missing, is slow or talks nonsense', async () => {
    const hooks = hooksOf({
      PreToolUse: [
        {
          hooks: [
            { command: 'echo oops >&2; exit 1' },
            { command: '/no/such/hook' },
            { command: 'sleep 100', timeout: 0.3 },
            { command: 'echo "{decision: deny}"' },
            { command: 'echo "[1]"' },
            { command: 'head -c 300000 /dev/zero | tr "\\0" x' },
          ],
        },
      ],
    })
    const { events, blocked, context } = await hooks.preToolUse(aCall(), signal)
    expect([blocked, context]).toEqual([null, null])
    expect(events.map(({ success, blocked: stops }) => [success, stops])).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [true, false],
      [true, false],
      [true, false],
    ])
    expect(events[2]?.error).toBe('It was ended after 0.3 seconds.')
    expect(events[5]?.stdout?.length).toBeLessThan(11_000)
  })

  it('adds to what the model reads', async () => {
    const hooks = hooksOf({
      PostToolUse: each(JSON_HOOK({ additionalContext: 'one' }), JSON_HOOK({ additionalContext: 'two' })),
    })
    const { context } = await hooks.postToolUse(aCall(), OBSERVATION, signal)
    expect(context).toBe('one\n\ntwo')
  })

  it('sees what came out', async () => {
    const outcome = await hooksOf({ PostToolUse: each('cat') }).postToolUse(aCall(), OBSERVATION, signal)
    expect(JSON.parse(only(outcome)?.stdout ?? '').tool_response).toEqual({
      content: [{ type: 'text', text: 'seen' }],
      is_error: false,
    })
  })

  it('is asked only about the tools that it names, and after a refusal no other', async () => {
    const before = opened
    const named = hooksOf({ PreToolUse: [{ matcher: 'file_editor', hooks: [{ command: 'true' }] }] })
    expect(await named.preToolUse(aCall(), signal)).toEqual({ events: [], blocked: null, context: null })
    expect(opened).toBe(before)
    const two = await hooksOf({ PreToolUse: each('exit 2', 'true') }).preToolUse(aCall(), signal)
    expect(two.events).toHaveLength(1)
  })

  it('keeps the agent at work, or lets it end', async () => {
    const goOn = await hooksOf({ Stop: each(JSON_HOOK({ decision: 'block', reason: 'Run the tests.' })) }).stop(signal)
    expect(goOn.blocked).toBe('Run the tests.')
    const end = await hooksOf({ Stop: each(JSON_HOOK({ continue: false })) }).stop(signal)
    expect(end.blocked).toBeNull()
  })

  it('hears messages, and may refuse them', async () => {
    const hooks = hooksOf({ UserPromptSubmit: each('cat; exit 2') })
    const outcome = await hooks.userPromptSubmit(
      {
        kind: 'MessageEvent',
        id: 'message-1',
        seq: 0,
        timestamp: '2026-01-01T00:00:00Z',
        source: 'user',
        llm_message: { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        activated_skills: [],
        extended_content: [],
      },
      signal,
    )
    expect(only(outcome)).toMatchObject({ message_id: 'message-1', blocked: true })
    expect(JSON.parse(only(outcome)?.stdout ?? '').message).toBe('Hello')
  })

  it('never blocks an end', async () => {
    expect((await hooksOf({ SessionEnd: each('exit 2') }).sessionEnd(signal)).blocked).toBeNull()
  })

  it('shows no secret', async () => {
    const leak = `echo ${SECRET}; echo ${SECRET} >&2; exit 2`
    const outcome = await hooksOf({ PreToolUse: each(leak) }).preToolUse(aCall(), signal)
    expect(JSON.stringify({ ...outcome, events: [{ ...only(outcome), hook_command: '' }] })).not.toContain(SECRET)
  })

  it('is ended with the run', async () => {
    const abort = new AbortController()
    const hooks = hooksOf({ PreToolUse: each('touch /tmp/began; sleep 100') })
    const running = hooks.preToolUse(aCall(), abort.signal)
    abort.abort(new Error('Stopped.'))
    await expect(running).rejects.toThrow('Stopped.')
  })

  it('is not waited for when it says so, and ended when the conversation is closed', async () => {
    const hooks = hooksOf({ Stop: [{ hooks: [{ command: 'sleep 100', async: true }] }] })
    const { events } = await hooks.stop(signal)
    expect(events[0]).toMatchObject({ success: true, blocked: false })
    expect(events[0]).not.toHaveProperty('exit_code')
    await hooks.close()
    const { stdout } = await sandbox.handle.exec({
      argv: ['/bin/sh', '-c', 'ps -e -o args | grep "[s]leep 100" || true'],
    })
    expect(stdout).toBe('')
  })

  it('is not silently missing', async () => {
    const { events } = await hooksOf({ Stop: [], oops: 1 }).sessionStart(signal)
    expect(events).toEqual([
      expect.objectContaining({
        success: false,
        error: expect.stringContaining('no hook runs'),
        hook_event_type: 'SessionStart',
      }),
    ])
  })
})
