import { execFileSync } from 'node:child_process'
import { pino } from 'pino'
import { describe, expect } from 'vitest'
import type { ContainerRequest } from '../../../server/docker/engine.ts'
import { AppError } from '../../../server/domain/errors.ts'
import { CommonContainer } from '../../../server/sandbox/network/common-container.ts'
import { it as base } from '../../fixtures/sandbox.ts'

const test = base
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => {
    const { id } = await parts.sandboxes.start()
    const { Id, State } = await parts.outside.getContainer(id).inspect()
    return { id: Id, pid: State.Pid }
  })
  .extend('common', { scope: 'file' }, ({ parts }) => async () => {
    const filters = { name: made.map(({ name }) => name) }
    return made.length === 0 ? [] : parts.outside.listContainers({ all: true, filters })
  })

const RULES = 'add table inet atelier_test'
const UNDONE = 'delete table inet atelier_test'
let container: CommonContainer
let closing: AbortController
let made: ContainerRequest[]
let refusal: Error | undefined
test.beforeEach(({ parts }) => {
  made = []
  refusal = undefined
  closing = new AbortController()
  const engine = () =>
    new Proxy(parts.connection.engine(), {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name !== 'createContainer') return typeof value === 'function' ? value.bind(target) : value
        return (request: ContainerRequest) => {
          made.push(request)
          return refusal ? Promise.reject(refusal) : target.createContainer(request)
        }
      },
    })
  container = new CommonContainer({
    connection: { engine },
    images: parts.images,
    instanceId: parts.instanceId,
    hold: () => () => {},
    signal: closing.signal,
    log: pino({ level: 'silent' }),
  })
  return () => container.close()
})

describe('the common container', () => {
  test('sets the rules of every sandbox, as often as they change, and goes in the end', async ({ sandbox, common }) => {
    expect(await container.setRules(sandbox, RULES)).toBe(true)
    expect(await container.setRules(sandbox, UNDONE)).toBe(true)
    expect(made).toHaveLength(1)
    expect(made[0]).toMatchObject({ network: 'bridge', mounts: [], isShortLived: true, ports: [] })
    expect(await common()).toHaveLength(1)
    await container.close()
    expect(await common()).toEqual([])
  })

  test('sets none where the process is not that of the container: the id may be another process by now', async ({
    sandbox,
    parts,
  }) => {
    for (const pid of [1, process.pid, 2 ** 22])
      expect(await container.setRules({ ...sandbox, pid }, RULES)).toBe(false)
    expect(await container.setRules({ ...sandbox, id: 'f'.repeat(64) }, RULES)).toBe(false)
    const onMachine = ['run', '--rm', '--network=host', '--cap-add=NET_ADMIN', parts.images.reference ?? '']
    expect(execFileSync('docker', [...onMachine, 'nft', 'list', 'tables']).toString()).not.toContain('atelier_test')
  })

  test('looks at the network around as a user without any capability, from the container that sets the rules', async ({
    sandbox,
  }) => {
    expect(await container.setRules(sandbox, RULES)).toBe(true)
    const printed = await container.look(['/bin/sh', '-c', 'id -u; grep ^Cap /proc/self/status; cat /etc/hosts'])
    expect(printed).toMatch(/^65534\n/)
    expect(printed).toMatch(/^CapPrm:\s*0+$/m)
    expect(printed).toMatch(/^CapEff:\s*0+$/m)
    expect(printed).toContain('host.docker.internal')
    expect(await container.look(['false'])).toBeUndefined()
    expect(await container.setRules(sandbox, UNDONE)).toBe(true)
    expect(made).toHaveLength(2)
  })

  test('is made anew when it is gone', async ({ sandbox, common, parts }) => {
    expect(await container.setRules(sandbox, RULES)).toBe(true)
    await Promise.all((await common()).map(({ Id }) => parts.outside.getContainer(Id).remove({ force: true })))
    expect(await container.setRules(sandbox, UNDONE)).toBe(false)
    expect(await container.setRules(sandbox, UNDONE)).toBe(true)
  })

  test('is not asked for again soon where the engine refuses it', async ({ sandbox }) => {
    refusal = new AppError('engine_failed', 'pid mode "host" is not permitted by the policy')
    expect(await container.setRules(sandbox, RULES)).toBe(false)
    expect(await container.setRules(sandbox, RULES)).toBe(false)
    container.prepare()
    expect(made).toHaveLength(1)
  })
})
