import { describe, expect, test } from 'vitest'
import { defaultPolicy, describeKind, kindOf, needsConfirmation } from '../../server/agent/confirmation.ts'
import { rateAction } from '../../server/agent/risk.ts'
import type { Action } from '../../server/api/event/actions.ts'
import type { EventOf } from '../../server/api/event/events.ts'
import { ANSWER_REVIEW_COMMENT } from '../../server/api/event/review-comments.ts'
import type { ConfirmationPolicy, SecurityRisk } from '../../server/api/v1/conversation/confirmation.ts'
import { COVERED, ONLY_ITSELF, RIDERS } from './data/kind-cases.ts'

const NEVER: ConfirmationPolicy = { kind: 'NeverConfirm' }
const ALWAYS: ConfirmationPolicy = { kind: 'AlwaysConfirm' }
const RISKY: ConfirmationPolicy = { kind: 'ConfirmRisky', threshold: 'HIGH', confirm_unknown: true }

function call(action: Action | null, security_risk: SecurityRisk = 'UNKNOWN', tool_name = 'terminal') {
  return {
    kind: 'ActionEvent',
    id: 'e',
    seq: 0,
    timestamp: '2026-01-01T00:00:00.000Z',
    source: 'agent',
    tool_name,
    tool_call_id: 'c',
    thought: [],
    thinking_blocks: [],
    action,
    tool_call: { id: 'c', name: tool_name, arguments: '{}', origin: 'completion' },
    llm_response_id: 'r',
    security_risk,
  } satisfies EventOf<'ActionEvent'>
}

const command = (text: string): Action => ({ kind: 'TerminalAction', command: text, is_input: false, reset: false })
const edit = (path: string): Action => ({ kind: 'FileEditorAction', command: 'create', path, file_text: 'x' })
const think = call({ kind: 'ThinkAction', thought: 'x' }, 'UNKNOWN', 'think')
const answer = call(
  { kind: 'MCPToolAction', data: { comment: 1, outcome: 'done', text: 'x' } },
  'UNKNOWN',
  ANSWER_REVIEW_COMMENT,
)
const finish = call({ kind: 'FinishAction', message: 'x' }, 'UNKNOWN', 'finish')
const plan = call({ kind: 'TaskTrackerAction', command: 'view', task_list: [] }, 'LOW', 'task_tracker')

/** As an analyzer rates it. */
function rated(text: string) {
  const action = command(text)
  return call(action, rateAction(action, { workingDir: '/workspace' }).risk)
}

describe('one decision for the calls of an answer', () => {
  test.each([
    ['nothing waits when the policy is never', NEVER, [call(command('rm -rf /'), 'HIGH')], false],
    ['everything waits when it is always', ALWAYS, [call(command('ls'), 'LOW')], true],
    ['only finish, think and answers to a review never wait', ALWAYS, [think, answer, finish], false],
    ['the task list waits when it is always', ALWAYS, [think, plan], true],
    ['a thought beside a harmless command does not make it wait', RISKY, [think, call(command('ls'), 'LOW')], false],
    ['one risky call makes all wait', RISKY, [call(command('ls'), 'LOW'), call(command('rm -rf /'), 'HIGH')], true],
    ['what is under the threshold passes', RISKY, [call(command('npm ci'), 'MEDIUM')], false],
    ['a lower threshold', { ...RISKY, threshold: 'MEDIUM' } as const, [call(command('npm ci'), 'MEDIUM')], true],
    ['what nobody rated waits', RISKY, [call(command('ls'))], true],
    ['unless the policy lets it pass', { ...RISKY, confirm_unknown: false } as const, [call(command('ls'))], false],
    ['a call that could not be understood', ALWAYS, [call(null)], false],
    ['no calls', ALWAYS, [], false],
  ])('%s', (_, policy, calls, waits) => {
    expect(needsConfirmation(policy, calls, { allowed: [] })).toBe(waits)
  })
})

describe('always allowed', () => {
  test.each(COVERED)('%s lets %s pass', (allowed, other) => {
    expect(needsConfirmation(ALWAYS, [rated(other)], { allowed: [kindOf(rated(allowed))] })).toBe(false)
  })

  test.each(RIDERS)('%s lets not ride along: %s', (allowed, other) => {
    expect(needsConfirmation(ALWAYS, [rated(other)], { allowed: [kindOf(rated(allowed))] })).toBe(true)
    expect(needsConfirmation(ALWAYS, [call(command(other))], { allowed: [kindOf(call(command(allowed)))] })).toBe(true)
  })

  test.each(ONLY_ITSELF)('%s allows only itself', text => {
    const key = kindOf(rated(text))
    expect(needsConfirmation(ALWAYS, [rated(text)], { allowed: [key] })).toBe(false)
    expect(needsConfirmation(ALWAYS, [rated(`${text} x`)], { allowed: [key] })).toBe(true)
    expect(describeKind(key)).toMatch(/^Only this very call of terminal/)
  })

  test('a model that says LOW gets no dangerous command into a group', () => {
    const lie = call(command('git push --force origin main'), 'LOW')
    expect(needsConfirmation(ALWAYS, [lie], { allowed: [kindOf(rated('git push origin main'))] })).toBe(true)
  })

  test('all calls of a batch must be allowed', () => {
    const allowed = [kindOf(rated('npm test'))]
    expect(needsConfirmation(ALWAYS, [rated('npm test'), rated('npm ci')], { allowed })).toBe(true)
  })

  test('two long commands with the same beginning are two kinds', () => {
    const long = `python3 -c "${'x = 1; '.repeat(100)}"`
    expect(kindOf(rated(long))).not.toBe(kindOf(rated(`${long} # other`)))
    expect(kindOf(rated(long)).length).toBeLessThan(250)
  })

  test('typing into a program allows only the same keys, and no command', () => {
    const typed = call({ kind: 'TerminalAction', command: 'y', is_input: true, reset: false }, 'LOW')
    expect(needsConfirmation(ALWAYS, [call(command('y'), 'LOW')], { allowed: [kindOf(typed)] })).toBe(true)
    expect(needsConfirmation(ALWAYS, [typed], { allowed: [kindOf(typed)] })).toBe(false)
  })

  test('edits in the working directory are one kind, others one per folder', () => {
    const inside = kindOf(call(edit('/workspace/a.ts'), 'LOW', 'file_editor'))
    const opt = kindOf(call(edit('/opt/tool/a'), 'MEDIUM', 'file_editor'))
    const waits = (path: string, risk: SecurityRisk, key: string) =>
      needsConfirmation(ALWAYS, [call(edit(path), risk, 'file_editor')], { allowed: [key] })
    expect(waits('/workspace/src/b.ts', 'LOW', inside)).toBe(false)
    expect(waits('/opt/tool/a', 'MEDIUM', inside)).toBe(true)
    expect(waits('/opt/tool/b', 'MEDIUM', opt)).toBe(false)
    expect(waits('/opt/tool/../other/b', 'MEDIUM', opt)).toBe(true)
    expect(waits('/etc/passwd', 'HIGH', opt)).toBe(true)
    expect(describeKind(opt)).toBe('Edits of files in `/opt/tool`')
  })

  test('a click allows the like on the pages of the sandbox, and itself alone elsewhere', () => {
    const click = (index: number, risk: 'LOW' | 'MEDIUM') =>
      call({ kind: 'BrowserClickAction', index, new_tab: false }, risk, 'browser_click')
    const low = kindOf(click(1, 'LOW'))
    expect(needsConfirmation(ALWAYS, [click(2, 'LOW')], { allowed: [low] })).toBe(false)
    expect(needsConfirmation(ALWAYS, [click(2, 'MEDIUM')], { allowed: [low] })).toBe(true)
    expect(needsConfirmation(ALWAYS, [click(2, 'MEDIUM')], { allowed: [kindOf(click(1, 'MEDIUM'))] })).toBe(true)
  })

  test('a browser visit allows its host', () => {
    const visit = (url: string) =>
      call({ kind: 'BrowserNavigateAction', url, new_tab: false }, 'MEDIUM', 'browser_navigate')
    const key = kindOf(visit('https://example.com/a'))
    expect(needsConfirmation(ALWAYS, [visit('https://example.com/b')], { allowed: [key] })).toBe(false)
    expect(needsConfirmation(ALWAYS, [visit('https://example.com@evil.example/')], { allowed: [key] })).toBe(true)
  })

  test.each(['', 'x', 'terminal:HIGH:npm test', 'terminal:npm test', '{}'])(
    'a key that is none (%s) allows nothing',
    key => {
      expect(needsConfirmation(ALWAYS, [rated('npm test')], { allowed: [key] })).toBe(true)
      expect(describeKind(key)).toBe('Calls of an unknown kind')
    },
  )
})

describe('words for the window', () => {
  test.each([
    ['npm test -- --watch=false', 'Commands that start with `npm test`'],
    ['cd app && npm run build 2>&1 | tail -5', 'Commands made of `cd app` and `npm run build`'],
    ['python -m pytest -q', 'Commands that start with `python -m pytest`'],
    ['rm -rf /', 'Only this very call of terminal: `rm -rf /`'],
    ['echo a\u202Eb\nls "$X"', 'Only this very call of terminal: `echo a b ls "$X"`'],
  ])('%s', (text, words) => {
    expect(describeKind(kindOf(rated(text)))).toBe(words)
  })

  test('a tool without further words', () => {
    expect(describeKind(kindOf(plan))).toBe('All calls of task_tracker')
  })
})

describe('what the settings say', () => {
  test.each([
    [false, null, NEVER, null],
    [null, 'llm', NEVER, 'llm'],
    [true, null, ALWAYS, null],
    [true, '', ALWAYS, null],
    [true, 'llm', RISKY, 'llm'],
    [true, 'local', RISKY, 'local'],
    [true, 'invariant', RISKY, 'local'],
    [true, 'grayswan', RISKY, 'local'],
  ] as const)('confirmation %s with analyzer %s', (confirmation_mode, security_analyzer, policy, analyzer) => {
    expect(defaultPolicy({ confirmation_mode, security_analyzer })).toEqual({ policy, analyzer })
  })
})
