import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Machine } from '../../server/docker/candidates.mjs'
import { type EngineSearch, findAddedEngine, findEngine } from '../../server/docker/socket.ts'

const never = new AbortController().signal
let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'atelier-home-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('finds the engine at DOCKER_HOST and says what it is', async () => {
  const found = await findEngine(machine({ env: { DOCKER_HOST: process.env.DOCKER_HOST } }), never)
  if (found.kind !== 'found') throw new Error(found.reason)
  expect(found.info.name).toBeTruthy()
  expect(found.info.cpus).toBeGreaterThan(0)
  expect(found.info.memoryBytes).toBeGreaterThan(2 ** 28)
  await found.engine.close()
})

describe('without an engine', () => {
  test('a DOCKER_HOST that nobody answers is named, and nothing else is used instead', async () => {
    const none = await search({ env: { DOCKER_HOST: `unix://${home}/none.sock` } })
    expect(none.reason).toContain('DOCKER_HOST')
    expect(none.reason).toContain('none.sock')
    expect(none.steps[0]?.command).toBe('docker context ls')
  })

  test('a socket whose engine has ended is told apart from no socket', async () => {
    const socket = join(home, '.docker', 'run', 'docker.sock')
    await leaveDeadSocket(socket)
    const none = await search({ platform: 'linux', env: { DOCKER_HOST: `unix://${socket}` } })
    expect(none.reason).toContain('nothing answers')
    expect(none.steps.map(step => step.command)).toContain('sudo systemctl enable --now docker')
  })

  test('something else behind the socket is no engine', async () => {
    const socket = join(home, 'other.sock')
    const server = createServer(connection => connection.end('SSH-2.0-OpenSSH\r\n'))
    await listen(server, socket)
    const none = await search({ env: { DOCKER_HOST: `unix://${socket}` } })
    expect(none.reason).toContain('DOCKER_HOST')
    server.close()
  })

  test('an address of an unknown kind is refused in words', async () => {
    const none = await search({ env: { DOCKER_HOST: 'fish://me@far' } })
    expect(none.reason).toContain('fish:// is not supported')
  })

  test.each([
    'ssh://me:canary@far',
    'ssh://:canary@far',
    'tcp://me:canary@127.0.0.1:1',
    'tcp://canary@127.0.0.1:1',
    'tcp://me:can@canary@127.0.0.1:1',
    'tcp://127.0.0.1:1/?token=canary',
    'https://me:canary@127.0.0.1:1',
    'me:canary@127.0.0.1:1',
    'tcp://me:canary @not an address',
  ])('a secret in %s is shown nowhere, and not used', async host => {
    const none = await search({ env: { DOCKER_HOST: host } })
    expect(none.reason).toContain('password')
    const candidate = { name: 'Far', host, certificates: undefined, chosen: true }
    const added = await findAddedEngine(candidate, { machine: machine({}), signal: never, round: 0 })
    expect(JSON.stringify([none, added])).not.toContain('canary')
  })

  test.each(['darwin', 'win32'] as const)('on %s the steps are that platform’s', async platform => {
    const none = await search({ platform, env: { DOCKER_HOST: `unix://${home}/none.sock` } })
    const steps = JSON.stringify(none.steps)
    expect(steps).toContain('Docker Desktop')
    expect(steps).not.toContain('systemctl')
  })

  test('an aborted search ends', async () => {
    const aborted = findEngine(machine({}), AbortSignal.abort(new Error('closing')))
    await expect(aborted).rejects.toThrow('closing')
  })
})

async function search(change: Partial<Machine>): Promise<Extract<EngineSearch, { kind: 'none' }>> {
  const result = await findEngine(machine(change), never)
  if (result.kind === 'none') return result
  await result.engine.close()
  throw new Error('an engine was found')
}

function machine(change: Partial<Machine>): Machine {
  return { env: {}, platform: 'linux', home, uid: 1000, ...change }
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path)
  await once(server, 'listening')
}

/** A socket file that refuses connections, as a killed engine leaves it. */
async function leaveDeadSocket(path: string): Promise<void> {
  const { mkdirSync, linkSync, renameSync } = await import('node:fs')
  mkdirSync(join(path, '..'), { recursive: true })
  const server = createServer()
  await listen(server, `${path}.live`)
  linkSync(`${path}.live`, `${path}.kept`)
  server.close()
  await once(server, 'close')
  renameSync(`${path}.kept`, path)
}
