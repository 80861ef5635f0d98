import fc from 'fast-check'
import { activeBranch } from '../../server/api/event/branch.ts'
import { openCalls } from '../../server/event/model-messages.ts'
import { type Call, createLog, type TestLog } from './events.ts'

export type LogStep =
  | { kind: 'say' | 'speak' | 'nudge' | 'state' | 'restart' }
  | { kind: 'calls'; count: number; sameIds: boolean; thinking: boolean }
  | { kind: 'answer' | 'fail' | 'reject' | 'rejectByHook' }
  | { kind: 'condense'; from: number; length: number; offset: number; summary: boolean }
  | { kind: 'goTo'; place: number }

const weighted: Record<string, [weight: number, step: fc.Arbitrary<LogStep>]> = {
  say: [2, fc.constant({ kind: 'say' })],
  speak: [1, fc.constant({ kind: 'speak' })],
  nudge: [1, fc.constant({ kind: 'nudge' })],
  state: [2, fc.constant({ kind: 'state' })],
  restart: [1, fc.constant({ kind: 'restart' })],
  calls: [
    6,
    fc.record({
      kind: fc.constant('calls' as const),
      count: fc.integer({ min: 1, max: 4 }),
      sameIds: fc.boolean(),
      thinking: fc.boolean(),
    }),
  ],
  results: [10, fc.record({ kind: fc.constantFrom('answer', 'answer', 'fail', 'reject', 'rejectByHook') })],
}
const condense: fc.Arbitrary<LogStep> = fc.record({
  kind: fc.constant('condense' as const),
  from: fc.nat(30),
  length: fc.nat(15),
  offset: fc.nat(30),
  summary: fc.boolean(),
})
const goTo: fc.Arbitrary<LogStep> = fc.record({ kind: fc.constant('goTo' as const), place: fc.nat() })

/** What may happen to a log: also what our own loop would never write, such as a condensation that tears calls apart. */
export function anyLog(also: { navigation?: boolean; condensation?: boolean } = {}): fc.Arbitrary<LogStep[]> {
  const steps = Object.values(weighted).map(([weight, arbitrary]) => ({ weight, arbitrary }))
  if (also.condensation) steps.push({ weight: 1, arbitrary: condense })
  if (also.navigation) steps.push({ weight: 2, arbitrary: goTo })
  return fc.array(fc.oneof(...steps), { maxLength: 60 })
}

export function grow(steps: readonly LogStep[], log: TestLog = createLog()): TestLog {
  for (const [index, step] of steps.entries()) take(log, step, index)
  return log
}

function take(log: TestLog, step: LogStep, index: number): void {
  const open = openCalls(activeBranch(log.events))
  switch (step.kind) {
    case 'say':
    case 'speak':
    case 'nudge':
      log[step.kind](`${step.kind} ${index}`)
      return
    case 'state':
      log.state('stats', {})
      return
    case 'restart':
      for (const call of open) log.fail(call, 'A restart occurred.')
      return
    case 'calls':
      if (open.length === 0) callAll(log, step, index)
      return
    case 'answer':
    case 'fail':
    case 'reject':
      if (open[0]) log[step.kind](open[0])
      return
    case 'rejectByHook':
      if (open[0]) log.reject(open[0], 'hook')
      return
    case 'condense':
      condenseSome(log, step)
      return
    case 'goTo':
      log.goTo(log.events[step.place % (log.events.length + 1)]?.id ?? null)
  }
}

function callAll(log: TestLog, step: Extract<LogStep, { kind: 'calls' }>, index: number): void {
  for (let n = 0; n < step.count; n++) {
    const thinking: Partial<Call> =
      step.thinking && n === 0 ? { thinking_blocks: [{ type: 'thinking', thinking: 'hm', signature: 's' }] } : {}
    log.call(step.sameIds ? `call_${n}` : `call_${index}_${n}`, `r${index}`, thinking)
  }
}

function condenseSome(log: TestLog, step: Extract<LogStep, { kind: 'condense' }>): void {
  const forgotten = activeBranch(log.events).slice(step.from, step.from + step.length)
  const ids = forgotten.map(({ id }) => id)
  if (step.summary) log.condense(ids, `summary ${log.events.length}`, step.offset)
  else log.condense(ids)
}
