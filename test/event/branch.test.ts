import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activeBranch, treeOf } from '../../server/api/event/branch.ts'
import { resultsByCall } from '../../server/api/event/calls.ts'
import { createLog } from './events.ts'
import { anyLog, grow } from './random-log.ts'

const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id)

describe('the active branch', () => {
  it('is the whole log without its state updates while nobody goes back', () => {
    const log = createLog()
    const told = log.say('go')
    log.state('stats', {})
    const call = log.call('a', 'r1')
    log.state('stats', {})
    const result = log.answer(call)
    expect(ids(activeBranch(log.events))).toEqual(ids([told, call, result]))
    expect(treeOf(log.events).leaf()).toBe(result.id)
  })

  it('goes on after the event that was gone back to', () => {
    const log = createLog()
    const first = log.say('first')
    const left = log.speak('one')
    log.goTo(first.id)
    const other = log.speak('two')
    expect(ids(activeBranch(log.events))).toEqual(ids([first, other]))
    log.goTo(left.id)
    const more = log.say('more')
    expect(ids(activeBranch(log.events))).toEqual(ids([first, left, more]))
    log.goTo(null)
    expect(activeBranch(log.events)).toEqual([])
    expect(treeOf(log.events).leaf()).toBeNull()
    const anew = log.say('anew')
    expect(ids(activeBranch(log.events))).toEqual([anew.id])
  })

  it('takes a state update for the place at which it was written', () => {
    const log = createLog()
    const first = log.say('first')
    const stats = log.state('stats', {})
    log.speak('left')
    const back = log.goTo(stats.id)
    log.speak('left too')
    log.goTo(back.id)
    expect(treeOf(log.events).leaf()).toBe(first.id)
  })

  it.each(['the first call', 'the second call', 'the first result', 'what was said meanwhile'])(
    'keeps an answer whole when one goes back to %s of it',
    place => {
      const log = createLog()
      const told = log.say('go')
      const [a, b] = [log.call('a', 'r1'), log.call('b', 'r1')]
      const resultA = log.answer(a)
      const meanwhile = log.say('hurry')
      const resultB = log.answer(b)
      const whole = [told, a, b, resultA, meanwhile, resultB]
      log.speak('done')
      const target = { 'the first call': a, 'the second call': b, 'the first result': resultA }[place] ?? meanwhile
      log.goTo(target.id)
      expect(ids(activeBranch(log.events))).toEqual(ids(whole))
    },
  )

  it('leaves an answer out whose calls were left without all results', () => {
    const log = createLog()
    const told = log.say('go')
    const [a] = [log.call('a', 'r1'), log.call('b', 'r1')]
    const resultA = log.answer(a)
    log.goTo(told.id)
    log.goTo(resultA.id)
    expect(ids(activeBranch(log.events))).toEqual([told.id])
  })

  it('stays where it is when one goes to where one is', () => {
    const log = createLog()
    const told = log.say('go')
    const call = log.call('a', 'r1')
    log.goTo(call.id)
    const result = log.answer(call)
    expect(ids(activeBranch(log.events))).toEqual(ids([told, call, result]))
  })

  it('gives a late result to its call, not to where the conversation is now', () => {
    const log = createLog()
    const told = log.say('go')
    const call = log.call('a', 'r1')
    log.goTo(told.id)
    const other = log.say('something else')
    const late = log.fail(call)
    expect(ids(activeBranch(log.events))).toEqual(ids([told, other]))
    log.goTo(call.id)
    expect(ids(activeBranch(log.events))).toEqual(ids([told, call, late]))
  })

  it.each(['no such event', 7, { id: 'e0' }, undefined, ''])('ignores %j as a place to go to', value => {
    const log = createLog()
    log.say('go')
    const last = log.speak('done')
    log.state('leaf_event_id', value)
    expect(treeOf(log.events).leaf()).toBe(last.id)
  })

  it('can be followed to any event', () => {
    const log = createLog()
    const told = log.say('go')
    const left = log.speak('one')
    log.goTo(told.id)
    log.speak('two')
    expect(ids(treeOf(log.events).branchTo(left.id) ?? [])).toEqual(ids([told, left]))
    expect(treeOf(log.events).branchTo(null)).toEqual([])
    expect(treeOf(log.events).branchTo('no such event')).toBeNull()
  })

  it('takes time in proportion to the log, however often one goes to and fro', () => {
    const log = createLog()
    for (let round = 0; round < 20_000; round++) {
      const one = log.say('one')
      log.goTo(round % 2 === 0 ? one.id : 'e0')
    }
    const start = performance.now()
    activeBranch(log.events)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

describe('of any log', () => {
  it('the branch is a path in the order of the log on which no result lacks its call', () => {
    fc.assert(
      fc.property(anyLog({ navigation: true }), steps => {
        const branch = activeBranch(grow(steps).events)
        const seqs = branch.map(({ seq }) => seq)
        expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
        const calls = new Set(branch.flatMap(event => (event.kind === 'ActionEvent' ? [event.id] : [])))
        for (const event of branch) if (event.kind === 'ObservationEvent') expect(calls).toContain(event.action_id)
      }),
    )
  })

  it('going back to any event separates no call from its result, and changes nothing when done twice', () => {
    fc.assert(
      fc.property(anyLog({ navigation: true }), fc.nat(), (steps, place) => {
        const log = grow(steps)
        const target = log.events[place % Math.max(1, log.events.length)]
        if (!target) return
        const head = treeOf(log.events).leaf()
        log.goTo(target.id)
        const branch = activeBranch(log.events)
        if (treeOf(log.events).leaf() !== head) expect(resultsComplete(branch)).toBe(true)
        log.goTo(treeOf(log.events).leaf())
        expect(activeBranch(log.events)).toEqual(branch)
      }),
    )
  })

  it('what is appended stands at the end of what was there', () => {
    fc.assert(
      fc.property(anyLog({ navigation: true }), steps => {
        const log = grow(steps)
        const before = activeBranch(log.events)
        const last = log.say('last')
        expect(activeBranch(log.events)).toEqual([...before, last])
      }),
    )
  })
})

/** Whether every call has its result. */
function resultsComplete(branch: ReturnType<typeof activeBranch>): boolean {
  const results = resultsByCall(branch)
  return branch.every(event => event.kind !== 'ActionEvent' || results.has(event.id))
}
