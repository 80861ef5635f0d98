import { expect } from 'vitest'
import type { ContainerRequest } from '../../../server/docker/engine.ts'
import { tryRules } from '../../../server/sandbox/network/trial.ts'
import { it as base } from '../../fixtures/sandbox.ts'

/** With what the engine is asked for changed. */
const it = base.extend('trial', ({ parts }) => (change: (request: ContainerRequest) => Partial<ContainerRequest>) => {
  const engine = () =>
    new Proxy(parts.connection.engine(), {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name !== 'createContainer') return typeof value === 'function' ? value.bind(target) : value
        return (request: ContainerRequest) => target.createContainer({ ...request, ...change(request) })
      },
    })
  const { images, instanceId } = parts
  const { signal } = new AbortController()
  return tryRules({ connection: { engine }, images, instanceId, hold: () => () => {}, signal })
})

it('the engine refuses what sandboxes may not reach, and no container is left', async ({ trial, parts }) => {
  const names: string[] = []
  const noted = (request: ContainerRequest) => {
    names.push(request.name)
    return {}
  }
  expect(await trial(noted)).toEqual({ outcome: 'refused' })
  await expect.poll(() => parts.outside.listContainers({ all: true, filters: { name: names } })).toEqual([])
})

it('rules that let it through are found out', async ({ trial }) => {
  const open = ({ command = [] }: ContainerRequest) => ({
    command: command.map(word => word.replaceAll('goto refused', 'accept')),
  })
  expect(await trial(open)).toEqual({ outcome: 'not-refused' })
})

it('a container that gets no network proves nothing', async ({ trial }) => {
  expect(await trial(() => ({ network: 'none' }))).toEqual({ outcome: 'unknown' })
})

it('an engine that does not let rules be set says why', async ({ trial }) => {
  const powerless = () => ({ capabilities: { drop: ['ALL'], add: [] } })
  expect(await trial(powerless)).toEqual({ outcome: 'not-set', reason: expect.stringMatching(/not permitted/) })
})
