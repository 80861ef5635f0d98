import { describe, expect, it } from 'vitest'
import { checkStuck } from '../../server/agent/stuck.ts'
import type { Action } from '../../server/api/event/actions.ts'
import { type Call, createLog, type TestLog } from '../event/events.ts'
import { leastProcessorTime } from '../parts/value/growth-of-time.ts'
import { STUCK_CASES } from './data/stuck-cases.ts'

/** Does what a case says, and what the loop does: a nudge is recorded, and nothing follows when the agent is stuck. */
function play(steps: string) {
  const log = createLog()
  const nudged: number[] = []
  for (const [index, step] of steps.split(' ').entries()) {
    take(log, step, index)
    const verdict = checkStuck(log.events)
    if (verdict?.kind === 'stuck') return { nudged, stuck: index + 1, why: verdict.why }
    if (verdict) {
      nudged.push(index + 1)
      log.nudge(verdict.text)
    }
  }
  return { nudged, stuck: undefined, why: undefined }
}

function take(log: TestLog, step: string, index: number): void {
  if (step === 'say' || step === 'speak' || step === 'nudge') log[step](`${step} ${index}`)
  else if (step === 'state') log.state('stats', { steps: index })
  else if (step === 'condense') log.condense([], `summary ${index}`, 0)
  else if (step === 'pause') log.add({ kind: 'PauseEvent', source: 'user' })
  else if (step === 'interrupt') log.add({ kind: 'InterruptEvent', source: 'user' })
  else if (step === 'error') {
    const classification = { kind: 'agent_action', retryable: true, user_action: 'none' } as const
    log.add({ kind: 'ConversationErrorEvent', source: 'environment', code: 'AgentStuck', detail: '', classification })
  } else answerAll(log, step, index)
}

const CALL = /^([a-z]+)(?:~(\w+))?([=!-]|\?)(\w*)$/

function answerAll(log: TestLog, step: string, index: number): void {
  const parts = step.split('+').map(part => CALL.exec(part) ?? expect.fail(`${part} is not a step`))
  const calls = parts.map(([, name = '', words = ''], n) =>
    log.call(`call_${index}_${n}`, `r${index}`, {
      action: actionOf(name),
      thought: words ? [{ type: 'text', text: words }] : [],
    }),
  )
  for (const [n, call] of calls.entries()) settle(log, call, parts[n] ?? [], index)
}

function actionOf(name: string): Action {
  const waits = name === 'poll' || name === 'ended'
  if (waits) return { kind: 'TerminalAction', command: '', is_input: true, reset: false }
  return { kind: 'ThinkAction', thought: name }
}

function settle(log: TestLog, call: Call, [, name, , sign, text = '']: string[], index: number): void {
  if (sign === '!') log.fail(call, text)
  else if (sign === '-') log.reject(call, text === 'u' ? 'user' : 'hook')
  else if (sign === '=' && call.action?.kind === 'TerminalAction') {
    const exitCode = name === 'poll' ? -1 : 0
    log.add({
      kind: 'ObservationEvent',
      source: 'environment',
      tool_name: 'terminal',
      tool_call_id: call.tool_call_id,
      action_id: call.id,
      observation: {
        kind: 'TerminalObservation',
        content: [{ type: 'text', text }],
        is_error: false,
        command: '',
        exit_code: exitCode,
        timeout: exitCode === -1,
        metadata: { exit_code: exitCode, pid: index, prefix: '', suffix: '' },
      },
    })
  } else if (sign === '=') log.answer(call, text)
}

describe('an agent that goes round in circles', () => {
  it.each(STUCK_CASES)('$name', ({ steps, nudged = [], stuck }) => {
    expect(play(steps)).toMatchObject({ nudged, stuck })
  })

  it('is told what a person can do', () => {
    for (const { steps, stuck } of STUCK_CASES) if (stuck) expect(play(steps).why).toMatch(/\. (Say|Look|Choose) .*\.$/)
  })

  it('is noticed in no time in a long log', () => {
    const log = createLog()
    log.say('go')
    for (let index = 0; index < 5_000; index++) take(log, `a=${index}`, index)
    expect(leastProcessorTime(() => checkStuck(log.events))).toBeLessThan(50)
  })
})
