import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Bus } from '../../server/bus.ts'
import { EngineConnection } from '../../server/docker/connection.ts'
import { findEngine } from '../../server/docker/socket.ts'
import { until } from '../sandbox/parts.ts'
import { EngineProxy } from './proxy.ts'

let proxy: EngineProxy
let bus: Bus
let connection: EngineConnection

beforeEach(() => {
  proxy = new EngineProxy(process.env.DOCKER_HOST ?? '')
  bus = new Bus()
  const machine = { env: { DOCKER_HOST: proxy.host }, platform: process.platform, home: '/', uid: 0 }
  connection = new EngineConnection({
    bus,
    log: pino({ level: 'silent' }),
    find: signal => findEngine(machine, signal),
  })
})
afterEach(async () => {
  await connection.close()
  await proxy.down()
})

test('an engine that is there is ready after the start', async () => {
  await proxy.up()
  await connection.start()
  expect(connection.status()).toMatchObject({ state: 'ready', endpoint: proxy.host })
  expect(await connection.engine().image('no/such:image')).toBeUndefined()
})

test('without an engine every use says what to do', async () => {
  await connection.start()
  expect(connection.status()).toMatchObject({ state: 'unavailable' })
  expect(() => connection.engine()).toThrow(/DOCKER_HOST.*docker context ls/)
})

test('an engine that comes later is found by itself, and published', async () => {
  await connection.start()
  await proxy.up()
  await until(bus, () => (connection.status().state === 'ready' ? true : undefined))
})

test('a recheck finds it at once', async () => {
  await connection.start()
  await proxy.up()
  expect(await connection.recheck()).toMatchObject({ state: 'ready' })
})

test('the end of the engine is noticed without asking, and its return within seconds', async () => {
  await proxy.up()
  await connection.start()
  const heard: string[] = []
  connection.subscribe({ onConnected: () => heard.push('connected'), onLost: () => heard.push('lost') })
  const began = Date.now()
  await proxy.down()
  await until(bus, () => (connection.status().state === 'unavailable' ? true : undefined))
  expect(Date.now() - began).toBeLessThan(5000)
  const back = Date.now()
  await proxy.up()
  await until(bus, () => (connection.status().state === 'ready' ? true : undefined))
  expect(Date.now() - back).toBeLessThan(5000)
  expect(heard).toEqual(['connected', 'lost', 'connected'])
})

test('an address that never answers does not hold the start back, nor the end', async () => {
  const silent = createServer(() => {}).listen(proxy.host.slice('unix://'.length))
  await once(silent, 'listening')
  const began = Date.now()
  await connection.start()
  expect(connection.status().state).toBe('unavailable')
  await connection.close()
  // A look at it takes five seconds.
  expect(Date.now() - began).toBeLessThan(4500)
  silent.close()
})

test('a closed connection looks no further', async () => {
  await connection.start()
  await connection.close()
  await proxy.up()
  expect(await connection.recheck()).toMatchObject({ state: 'unavailable' })
})

test('a ping that is 6.5 seconds late is load, not an end: what is under way goes on', async () => {
  await proxy.up()
  await connection.start()
  const heard: string[] = []
  connection.subscribe({ onConnected: () => {}, onLost: () => heard.push('lost') })
  proxy.lateness = path => (path === '/_ping' ? 6500 : path.startsWith('/images/') ? 8000 : 0)
  const engine = connection.engine()
  const underWay = engine.image('no/such:image')
  await connection.recheck()
  expect(await underWay).toBeUndefined()
  expect(connection.engine()).toBe(engine)
  expect(heard).toEqual([])
})

test('an engine that is stopped for 17 seconds cuts nothing off', async () => {
  await proxy.up()
  await connection.start()
  const engine = connection.engine()
  proxy.freeze()
  const asked = engine.image('no/such:image')
  const pinged = connection.recheck()
  await delay(17_000)
  proxy.thaw()
  expect(await asked).toBeUndefined()
  await pinged
  expect(connection.engine()).toBe(engine)
  expect(connection.losses).toBe(0)
})

test('an engine that is silent for longer cannot be asked, keeps what is under way, and is there again at once', async () => {
  await proxy.up()
  await connection.start()
  const heard: string[] = []
  connection.subscribe({ onConnected: () => heard.push('connected'), onLost: () => heard.push('lost') })
  const engine = connection.engine()
  proxy.freeze()
  const asked = engine.image('no/such:image')
  void connection.recheck()
  await until(bus, () => (connection.status().state === 'unavailable' ? true : undefined))
  expect(() => connection.engine()).toThrow(/does not answer at the moment/)
  const answers = connection.answers(AbortSignal.timeout(20_000))
  const thawed = Date.now()
  proxy.thaw()
  await answers
  expect(Date.now() - thawed).toBeLessThan(5000)
  expect(await asked).toBeUndefined()
  expect(connection.engine()).toBe(engine)
  expect(heard).toEqual(['connected', 'lost', 'connected'])
})

test('waiting for an engine ends with its signal', async () => {
  await connection.start()
  await expect(connection.answers(AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('an engine that began anew between two questions is announced again', async () => {
  await proxy.up()
  await connection.start()
  const heard: string[] = []
  connection.subscribe({ onConnected: () => heard.push('connected'), onLost: () => heard.push('lost') })
  await proxy.down()
  await proxy.up()
  await until(bus, () => (heard.length > 1 && connection.status().state === 'ready' ? true : undefined))
  expect(heard.at(-1)).toBe('connected')
  expect(await connection.engine().image('no/such:image')).toBeUndefined()
})

test('what waits for an engine learns that it is not looked for any more', async () => {
  await connection.start()
  const waiting = expect(connection.answers(new AbortController().signal)).rejects.toMatchObject({
    code: 'engine_unavailable',
  })
  await connection.close()
  await waiting
  await expect(connection.answers(new AbortController().signal)).rejects.toMatchObject({ code: 'engine_unavailable' })
})
