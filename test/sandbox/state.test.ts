import { describe, expect, test } from 'vitest'
import { refusalReason, SANDBOX_ACTIONS } from '../../server/api/v1/sandbox/actions.ts'
import { writeLabels } from '../../server/docker/container/labels.ts'
import type { ContainerState, ContainerStatus } from '../../server/docker/engine.ts'
import { afterEngineLoss, afterInspect, afterList, changedIds } from '../../server/sandbox/snapshot.ts'
import { assertAllowed, infoOf, type Sandbox, sandboxOf, statusOf } from '../../server/sandbox/state.ts'

const NO_ACCESS = { session_api_key: null, exposed_urls: null }

test.each([
  ['created', 'STARTING'],
  ['restarting', 'STARTING'],
  ['running', 'RUNNING'],
  ['paused', 'PAUSED'],
  ['exited', 'PAUSED'],
  ['removing', 'MISSING'],
  ['dead', 'ERROR'],
] as const)('a container that is %s is a sandbox that is %s', (status, expected) => {
  expect(statusOf(known(container('a', status)))).toBe(expected)
})

test('only a running sandbox has a key and addresses', () => {
  const access = () => ({ session_api_key: 'key', exposed_urls: [] })
  expect(infoOf(known(container('a', 'running')), access)).toMatchObject({ session_api_key: 'key', exposed_urls: [] })
  for (const status of ['created', 'paused', 'exited', 'dead'] as const) {
    expect(infoOf(known(container('a', status)), access)).toMatchObject(NO_ACCESS)
  }
})

test('a sandbox that ran out of memory says so', () => {
  const info = infoOf(known({ ...container('a', 'exited'), exitCode: 137, outOfMemory: true }), () => NO_ACCESS)
  expect(info.status_detail).toContain('out of memory')
})

test('a container without our labels is no sandbox', () => {
  expect(sandboxOf({ ...container('a', 'running'), labels: { other: 'x' } })).toBeUndefined()
  expect(
    sandboxOf({ ...container('a', 'running'), labels: { ...labels(), 'dev.atelier.created-at': 'never' } }),
  ).toBeUndefined()
})

describe('what is allowed', () => {
  test('is refused with the words of the table', () => {
    const paused = known(container('a', 'paused'))
    expect(() => assertAllowed('use', paused)).toThrow(SANDBOX_ACTIONS.use.PAUSED)
    expect(() => assertAllowed('resume', paused)).not.toThrow()
    expect(refusalReason('pause', 'PAUSED')).toBe(SANDBOX_ACTIONS.pause.PAUSED)
  })

  test('nothing, while the engine does not answer', () => {
    const [sandbox] = afterEngineLoss(new Map([['a', known(container('a', 'running'))]])).values()
    if (!sandbox) throw new Error('lost')
    expect(infoOf(sandbox, () => NO_ACCESS)).toMatchObject({ status: 'RUNNING', unreachable: true, ...NO_ACCESS })
    for (const action of ['use', 'pause', 'resume', 'delete'] as const) {
      expect(() => assertAllowed(action, sandbox)).toThrow(/engine does not answer/)
    }
  })
})

describe('reconciling', () => {
  const booting: Sandbox = { id: 'new', specId: 'i', createdAt: '2026-01-01T00:00:00Z', kind: 'booting', detail: '' }

  test('takes the engine’s word for everything but what is starting here', () => {
    const before = new Map([
      ['gone', known(container('gone', 'running'))],
      ['new', booting],
    ])
    const after = afterList(before, [container('found', 'paused'), container('new', 'created')])
    expect([...after.keys()].sort()).toEqual(['found', 'new'])
    expect(after.get('new')).toBe(booting)
  })

  test('forgets a removed container', () => {
    expect(afterInspect(known(container('a', 'running')), undefined)).toBeUndefined()
    expect(afterInspect(booting, undefined)).toBe(booting)
  })

  test('names exactly what changed', () => {
    const before = new Map([
      ['same', known(container('same', 'running'))],
      ['moved', known(container('moved', 'running'))],
      ['gone', known(container('gone', 'running'))],
    ])
    const after = afterList(before, [
      container('same', 'running'),
      container('moved', 'paused'),
      container('new', 'running'),
    ])
    expect(changedIds(before, after).sort()).toEqual(['gone', 'moved', 'new'])
  })
})

function known(state: ContainerState): Sandbox {
  const sandbox = sandboxOf(state)
  if (!sandbox) throw new Error('no sandbox')
  return sandbox
}

function labels(): Record<string, string> {
  return writeLabels({ instanceId: 'i', specId: 'image', createdAt: '2026-01-01T00:00:00.000Z' })
}

function container(name: string, status: ContainerStatus): ContainerState {
  const at = '2026-01-01T00:00:00.000Z'
  const known = { id: `id-${name}`, name, image: 'image', exitCode: undefined, createdAt: at, startedAt: at }
  return { ...known, status, networks: ['bridge'], labels: labels(), ports: {} }
}
