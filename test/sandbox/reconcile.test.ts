import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { imageLabels, LABEL, partLabels, specImageLabels } from '../../server/docker/container/labels.ts'
import type { EngineObject, EngineObjectKind } from '../../server/docker/engine.ts'
import {
  type DesiredState,
  type RemovalReason,
  reconcile,
  type Step,
} from '../../server/sandbox/reconcile/reconcile.ts'

const OURS = 'ours'
const IDS = ['atelier-a', 'atelier-b', 'atelier-c'] as const

const container = (name: string, status: EngineObject['status'] = 'running', instance = OURS): EngineObject => ({
  kind: 'container',
  id: `container-${instance}-${name}`,
  name,
  labels: { [LABEL.instance]: instance },
  ...(status && { status }),
})
const part = (kind: EngineObjectKind, sandboxId: string, instance = OURS): EngineObject => ({
  kind,
  id: `${kind}-${instance}-${sandboxId}`,
  name: `${kind}-${sandboxId}`,
  labels: kind === 'image' ? imageLabels(instance, sandboxId) : partLabels(instance, sandboxId),
})

const oneShot = (name: string, status: NonNullable<EngineObject['status']>): EngineObject => ({
  ...container(name, status),
  labels: partLabels(OURS, name),
})

/** The engine names it. */
const step: EngineObject = {
  ...container('brave_turing', 'created'),
  labels: specImageLabels(OURS, 'spec'),
}

interface Given {
  removals?: [string, RemovalReason][]
  used?: string[]
  held?: string[]
}

const wanted = ({ removals = [], used = [], held = [] }: Given = {}): DesiredState => ({
  instanceId: OURS,
  removals: new Map(removals),
  isUsed: id => used.includes(id),
  isHeld: id => held.includes(id),
})

const removed = (steps: Step[]) => steps.flatMap(step => (step.kind === 'remove' ? [step.object.id] : []))
const forgotten = (steps: Step[]) => steps.flatMap(step => (step.kind === 'forget' ? [step.sandboxId] : []))

describe('what is removed', () => {
  const all = [part('volume', 'x'), part('network', 'x'), container('x'), part('image', 'x')]

  test.each<[string, Given, EngineObject[], string[]]>([
    ['nothing of a sandbox that nobody gave up', {}, all, []],
    ['nothing of one that only stopped', {}, [container('x', 'exited'), part('volume', 'x')], []],
    [
      'all of an abandoned one, what holds others first',
      { removals: [['x', 'abandoned']] },
      all,
      ['container-ours-x', 'network-ours-x', 'volume-ours-x', 'image-ours-x'],
    ],
    ['nothing of an abandoned one that a conversation uses', { removals: [['x', 'abandoned']], used: ['x'] }, all, []],
    ['nothing of an abandoned one that is being started', { removals: [['x', 'abandoned']], held: ['x'] }, all, []],
    [
      'a deleted one although a conversation uses it',
      { removals: [['x', 'deleted']], used: ['x'] },
      [container('x')],
      ['container-ours-x'],
    ],
    ['not a step of a build that is about to run', {}, [step], []],
    ['a container that never ran', {}, [container('x', 'created')], ['container-ours-x']],
    ['not one that is being started', { held: ['x'] }, [container('x', 'created')], []],
    ['the network of a sandbox whose container is gone', {}, [part('network', 'x')], ['network-ours-x']],
    ['not where a conversation may miss it', { used: ['x'] }, [part('volume', 'x')], []],
    ['a one-shot container that nobody waits for', {}, [oneShot('h', 'running')], ['container-ours-h']],
    ['not one that somebody waits for', { held: ['h'] }, [oneShot('h', 'created')], []],
    ['nothing of another instance', { removals: [['x', 'deleted']] }, [container('x', 'created', 'other')], []],
    [
      'not the image of one from whose copy another was copied, which goes first',
      {
        removals: [
          ['x', 'deleted'],
          ['y', 'deleted'],
        ],
      },
      [part('image', 'x'), { ...part('image', 'y'), parent: 'image-ours-x' }],
      ['image-ours-y'],
    ],
    ['an image whose sandbox never came to be', {}, [part('image', 'x')], ['image-ours-x']],
    ['not the image of a sandbox that is there', {}, [container('x'), part('image', 'x')], []],
    [
      'nothing without a sandbox',
      { removals: [['x', 'deleted']] },
      [{ ...part('volume', 'x'), labels: { [LABEL.instance]: OURS } }],
      [],
    ],
  ])('%s', (_what, given, objects, expected) => {
    expect(removed(reconcile(wanted(given), objects))).toEqual(expected)
  })

  test('a removal is forgotten when nothing is left, or when a conversation came', () => {
    expect(forgotten(reconcile(wanted({ removals: [['x', 'deleted']] }), []))).toEqual(['x'])
    expect(forgotten(reconcile(wanted({ removals: [['x', 'deleted']] }), [container('x')]))).toEqual([])
    const used = wanted({ removals: [['x', 'abandoned']], used: ['x'] })
    expect(forgotten(reconcile(used, [container('x')]))).toEqual(['x'])
    const held = wanted({ removals: [['x', 'abandoned']], held: ['x'] })
    expect(forgotten(reconcile(held, []))).toEqual([])
    const waiting = [part('image', 'x'), { ...part('image', 'y'), parent: 'image-ours-x' }]
    expect(forgotten(reconcile(wanted({ removals: [['x', 'deleted']] }), waiting))).toEqual([])
  })
})

describe('whatever is wanted, and whatever the engine has', () => {
  const id = fc.constantFrom<string>(...IDS)
  const instance = fc.constantFrom(OURS, 'other')
  const status = fc.constantFrom('created', 'running', 'paused', 'exited', 'dead' as const)
  const object = fc.oneof(
    fc.tuple(id, status, instance).map(given => container(...(given as Parameters<typeof container>))),
    fc
      .tuple(fc.constantFrom<EngineObjectKind>('network', 'volume', 'image'), id, instance)
      .map(given => part(...given)),
  )
  const objects = fc.uniqueArray(object, { selector: each => each.id })
  const given = fc.record({
    removals: fc.uniqueArray(fc.tuple(id, fc.constantFrom<RemovalReason>('deleted', 'abandoned')), {
      selector: ([each]) => each,
    }),
    used: fc.uniqueArray(id),
    held: fc.uniqueArray(id),
  })

  /** What there is after the steps were carried out. */
  const apply = (state: { given: Required<Given>; objects: EngineObject[] }, steps: Step[]) => ({
    given: { ...state.given, removals: state.given.removals.filter(([each]) => !forgotten(steps).includes(each)) },
    objects: state.objects.filter(each => !removed(steps).includes(each.id)),
  })

  test('two rounds leave nothing to do', () => {
    fc.assert(
      fc.property(given, objects, (asked, present) => {
        let state = { given: asked, objects: present }
        for (let round = 0; round < 2; round++) state = apply(state, reconcile(wanted(state.given), state.objects))
        expect(reconcile(wanted(state.given), state.objects)).toEqual([])
      }),
    )
  })

  test('a round that was cut off anywhere is finished by the next ones', () => {
    fc.assert(
      fc.property(given, objects, fc.nat(8), (asked, present, done) => {
        const whole = { given: asked, objects: present }
        const finish = (from: typeof whole) => {
          let state = from
          for (let round = 0; round < 3; round++) state = apply(state, reconcile(wanted(state.given), state.objects))
          return state.objects.map(each => each.id).sort()
        }
        const cut = apply(whole, reconcile(wanted(whole.given), whole.objects).slice(0, done))
        expect(finish(cut)).toEqual(finish(whole))
      }),
    )
  })

  test('nothing of another instance, of a sandbox under way, or with a conversation that nobody deleted, is removed', () => {
    fc.assert(
      fc.property(given, objects, (asked, present) => {
        const steps = reconcile(wanted(asked), present)
        const deleted = asked.removals.filter(([, reason]) => reason === 'deleted').map(([each]) => each)
        for (const step of steps) {
          if (step.kind !== 'remove') continue
          expect(step.object.labels[LABEL.instance]).toBe(OURS)
          if (deleted.includes(step.sandboxId)) continue
          expect(asked.used).not.toContain(step.sandboxId)
          expect(asked.held).not.toContain(step.sandboxId)
        }
      }),
    )
  })
})
