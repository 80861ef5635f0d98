import { expect, test } from 'vitest'
import { NO_ACTIVITY } from '../../electron/service/calls.ts'
import type { ServiceProcess } from '../../electron/service/child.ts'
import { createServiceHost } from '../../electron/service/host.ts'

/** Which of them ended, and how. */
type Ends = string[]

function processOf(name: string, ends: Ends): ServiceProcess {
  return {
    url: `http://127.0.0.1/${name}`,
    connection: async () => ({ url: name, key: name, sessionApiKey: name }),
    activity: () => NO_ACTIVITY,
    atWork: async () => ({ agents: 1, terminals: 0 }),
    backUp: async () => name,
    isReady: () => true,
    ping: async () => {},
    endHang: async () => void ends.push(`${name} hung`),
    suspend: () => {},
    resume: () => {},
    reportCrash: async () => `report of ${name}`,
    logUnexpected: () => {},
    close: async () => void ends.push(`${name} closed`),
    kill: async () => void ends.push(`${name} killed`),
  }
}

test('a start that fails is tried again by the next page, and one that goes on is waited for by all', async () => {
  const ends: Ends = []
  let starts = 0
  const host = createServiceHost(async () => {
    starts += 1
    if (starts === 1) throw new Error('The disk is full.')
    return processOf('second', ends)
  })
  await expect(host.connect()).rejects.toThrow('The disk is full.')
  expect(host.url()).toBeNull()
  const connections = await Promise.all([host.connect(), host.connect()])
  expect(connections.map(({ url }) => url)).toEqual(['second', 'second'])
  expect(starts).toBe(2)
})

test('a service that is started anew is known before any page asks for it, at the address of the one before it', async () => {
  const ends: Ends = []
  const addresses: (string | null)[] = []
  const host = createServiceHost(async lastUrl => {
    addresses.push(lastUrl)
    return processOf(`service${addresses.length}`, ends)
  })
  await host.connect()
  host.restart()
  expect(host.url()).toBeNull()
  expect(await host.atWork()).toEqual({ agents: 0, terminals: 0 })
  // What goes wrong meanwhile is reported by the one that ran last.
  expect(await host.reportCrash(new Error('x'))).toBe('report of service1')
  await expect.poll(() => host.url()).toBe('http://127.0.0.1/service2')
  expect(await host.atWork()).toEqual({ agents: 1, terminals: 0 })
  expect(addresses).toEqual([null, 'http://127.0.0.1/service1'])
  expect(ends).toEqual(['service1 closed', 'service1 killed'])
})

test('once the app is ending no page starts a service, and one that was being started is closed', async () => {
  const ends: Ends = []
  let starts = 0
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const host = createServiceHost(async () => {
    starts += 1
    await begun
    return processOf('late', ends)
  })
  const connecting = host.connect()
  const closing = host.close()
  begin()
  await expect(connecting).rejects.toThrow('Atelier is ending.')
  await closing
  await expect(host.connect()).rejects.toThrow('Atelier is ending.')
  expect(starts).toBe(1)
  expect(ends).toEqual(['late closed'])
})

test('a service that hangs is ended as it is, and another one takes its place', async () => {
  const ends: Ends = []
  let starts = 0
  const host = createServiceHost(async () => {
    starts += 1
    return processOf(`service${starts}`, ends)
  })
  expect(host.isReady()).toBe(false)
  await host.connect()
  expect(host.isReady()).toBe(true)
  host.restartHanging()
  expect(host.isReady()).toBe(false)
  expect(await host.connect()).toMatchObject({ url: 'service2' })
  expect(ends).toEqual(['service1 hung'])
})
