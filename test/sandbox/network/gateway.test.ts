import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { allowedNames } from '../../../server/api/network-policy.ts'
import { Bus } from '../../../server/bus.ts'
import type { Engine, ExecStream } from '../../../server/docker/engine.ts'
import { AppError } from '../../../server/domain/errors.ts'
import { NetworkAttempts } from '../../../server/sandbox/network/attempts.ts'
import type { Attempt, GatewayState } from '../../../server/sandbox/network/gateway/client.ts'
import { type Admission, EgressGateway } from '../../../server/sandbox/network/gateway/gateway.ts'

type Told = GatewayState & { number: number }

/** A gateway whose program is ours: it answers as told. */
function start(answer: (told: Told) => object | undefined = ({ number }) => ({ done: number })) {
  const told: Told[] = []
  const attempts: Attempt[] = []
  const made: { end: () => void }[] = []
  const removed: string[] = []
  let lost = 0
  const exec = (): Promise<ExecStream> => {
    const stdout = new PassThrough()
    let end = (_code: number): void => {}
    const exitCode = new Promise<number>(resolve => {
      end = resolve
    })
    made.push({ end: () => end(1) })
    stdout.write('{"ready": true}\n')
    const stream: ExecStream = {
      ...{
        stdout,
        stderr: new PassThrough(),
        exitCode,
        begun: Promise.resolve(),
        untilBegun: async () => {},
        endInput: () => {},
      },
      resize: async () => {},
      write: async line => {
        const state: Told = JSON.parse(String(line))
        told.push(state)
        const reply = answer(state)
        if (reply) stdout.write(`${JSON.stringify(reply)}\n`)
      },
      close: () => end(-1),
    }
    return Promise.resolve(stream)
  }
  const container = (id: string) => ({ id, pid: 1, address: `172.17.0.${100 + made.length}` })
  const engine: Partial<Engine> = {
    createContainer: async () => `gateway-${made.length}`,
    startContainer: async () => {},
    inspectContainer: async id => container(id) as Awaited<ReturnType<Engine['inspectContainer']>>,
    removeContainer: async id => void removed.push(id),
    exec,
  }
  const gateway = new EgressGateway({
    connection: { engine: () => engine as Engine },
    images: { reference: 'own', ensure: async () => {} },
    instanceId: 'test',
    hold: () => () => {},
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
    common: { setRules: async () => true },
    context: async () => ({ nameservers: [], addresses: {} }),
    onAttempt: attempt => attempts.push(attempt),
    onLost: async () => void lost++,
  })
  return { gateway, told, made, removed, attempts, lost: () => lost }
}

const admission = (id: string, address: string, ...hosts: string[]): Admission => ({
  ...{ id, address, hosts: [] },
  names: allowedNames({ presets: [], hosts }),
})

describe('the gateway', () => {
  test('learns of each sandbox its address, its names and those below its wildcards', async () => {
    const { gateway, told } = start()
    await gateway.admit(admission('a', '172.17.0.2', 'one.test', '*.below.test', 'one.test:8443', '203.0.113.7'))
    expect(told).toMatchObject([
      {
        sandboxes: [['172.17.0.2', 'a']],
        exact: ['one.test|a', 'one.test:8443|a'],
        below: ['.below.test|a'],
        end: [],
      },
    ])
    await gateway.close()
  })

  test('hears nothing of what is the same', async () => {
    const { gateway, told } = start()
    for (let time = 0; time < 3; time++) await gateway.admit(admission('a', '172.17.0.2', 'one.test'))
    expect(told).toHaveLength(1)
    await gateway.close()
  })

  test('ends connections where a list shrinks or an address changes, and not where a list grows', async () => {
    const { gateway, told } = start()
    await gateway.admit(admission('a', '172.17.0.2', 'one.test'))
    await gateway.admit(admission('a', '172.17.0.2', 'one.test', 'two.test'))
    await gateway.admit({ ...admission('a', '172.17.0.2', 'one.test', 'two.test'), hosts: [['x.test', '203.0.113.9']] })
    await gateway.admit(admission('a', '172.17.0.2', 'two.test'))
    await gateway.admit(admission('a', '172.17.0.3', 'two.test'))
    await gateway.dismiss('a')
    const one = ['172.17.0.2']
    expect(told.map(({ end }) => end)).toEqual([[], [], [], one, one, ['172.17.0.3']])
    expect(told.at(-1)).toMatchObject({ sandboxes: [], exact: [], below: [], hosts: [] })
    await gateway.close()
  })

  test('forgets whoever had an address before', async () => {
    const { gateway, told } = start()
    await gateway.admit(admission('a', '172.17.0.2', 'of-a.test'))
    await gateway.admit(admission('b', '172.17.0.2', 'of-b.test'))
    expect(told.at(-1)).toMatchObject({ sandboxes: [['172.17.0.2', 'b']], exact: ['of-b.test|b'] })
    expect(gateway.isAdmitted('a')).toBe(false)
    await gateway.close()
  })

  test('that may not know what holds is replaced, once its sandboxes were closed', async () => {
    const { gateway, made, removed, lost } = start(({ number, exact }) =>
      exact.includes('refused.test|a') ? { failed: number, reason: 'no' } : { done: number },
    )
    await gateway.admit(admission('a', '172.17.0.2', 'one.test'))
    const refused = gateway.admit(admission('a', '172.17.0.2', 'refused.test'))
    await expect(refused).rejects.toMatchObject({ code: 'engine_failed', message: expect.stringContaining('no') })
    await expect.poll(lost).toBe(1)
    expect(gateway.isAdmitted('a')).toBe(false)
    await expect.poll(() => removed).toEqual(['gateway-0'])
    const address = await gateway.admit(admission('a', '172.17.0.2', 'one.test'))
    expect([made.length, address]).toEqual([2, '172.17.0.101'])
    await gateway.close()
  })

  test('is renewed on request, and the one before is removed', async () => {
    const { gateway, made, removed } = start()
    await gateway.admit(admission('a', '172.17.0.2', 'one.test'))
    await gateway.renew()
    expect(gateway.isAdmitted('a')).toBe(false)
    await gateway.admit(admission('a', '172.17.0.2', 'one.test'))
    expect(made).toHaveLength(2)
    await expect.poll(() => removed).toEqual(['gateway-0'])
    await gateway.close()
    expect(removed).toContain('gateway-1')
  })
})

/** No rules are read here. */
const attemptsOf = (bus: Bus) => new NetworkAttempts({ bus, connection: noEngine, common: noRules })
const noEngine = {
  engine: () => {
    throw new AppError('engine_unavailable', 'There is no engine here.')
  },
}
const noRules = { readRules: async () => undefined }

describe('attempts', () => {
  const attempt = (host: string, verdict: Attempt['verdict']): Attempt => ({
    ...{ sandboxId: 'a', host, port: 443, verdict, count: 1 },
  })

  test('are counted, the newest first', () => {
    const attempts = attemptsOf(new Bus())
    for (const host of ['one.test', 'two.test', 'one.test']) attempts.note(attempt(host, 'refused'))
    expect(attempts.of('a').map(({ host, count }) => [host, count])).toEqual([
      ['one.test', 2],
      ['two.test', 1],
    ])
    attempts.forget('a')
    expect(attempts.of('a')).toEqual([])
  })

  test('that were allowed are given up before those that were refused', () => {
    const attempts = attemptsOf(new Bus())
    attempts.note(attempt('refused.test', 'refused'))
    for (let number = 0; number < 300; number++) attempts.note(attempt(`${number}.test`, 'allowed'))
    expect(attempts.of('a')).toHaveLength(200)
    expect(attempts.of('a').map(({ host }) => host)).toContain('refused.test')
  })

  test('are published together', async () => {
    const bus = new Bus()
    const changes: unknown[] = []
    bus.subscribe(change => changes.push(change))
    const attempts = attemptsOf(bus)
    for (const host of ['one.test', 'two.test']) attempts.note(attempt(host, 'refused'))
    await turn()
    expect(changes).toEqual([])
    await expect.poll(() => changes, { timeout: 5000 }).toEqual([{ resource: 'sandbox-network', id: 'a' }])
  })
})
