import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { possibleEngines, readCandidates } from '../../build/engine/find.mjs'
import { ping } from '../../build/engine/ping.mjs'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'engine-find-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const hosts = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux') =>
  possibleEngines(readCandidates(), { HOME: home, ...env }, platform).map(engine => engine.host)

test('DOCKER_HOST is the only place looked at when it is set', () => {
  expect(hosts({ DOCKER_HOST: 'tcp://10.0.0.1:2375' })).toEqual(['tcp://10.0.0.1:2375'])
})

test('the current docker context comes before the usual sockets', () => {
  writeContext('work', 'unix:///work.sock')
  writeFileSync(join(home, '.docker', 'config.json'), JSON.stringify({ currentContext: 'work' }))
  expect(hosts({})[0]).toBe('unix:///work.sock')
})

test('DOCKER_CONTEXT wins over the context of the configuration file', () => {
  writeContext('work', 'unix:///work.sock')
  writeContext('other', 'unix:///other.sock')
  writeFileSync(join(home, '.docker', 'config.json'), JSON.stringify({ currentContext: 'work' }))
  expect(hosts({ DOCKER_CONTEXT: 'other' })[0]).toBe('unix:///other.sock')
})

test('a broken docker configuration is passed over', () => {
  mkdirSync(join(home, '.docker'))
  writeFileSync(join(home, '.docker', 'config.json'), '{')
  expect(hosts({})[0]).toBe('unix:///var/run/docker.sock')
})

test('a socket whose placeholder has no value is left out', () => {
  expect(hosts({}).filter(host => host.includes('$'))).toEqual([])
  expect(hosts({ XDG_RUNTIME_DIR: '/run/user/7' })).toContain('unix:///run/user/7/podman/podman.sock')
  expect(hosts({})).not.toContain('unix:///podman/podman.sock')
})

test('each platform has its own list', () => {
  expect(hosts({}, 'darwin')).toContain(`unix://${home}/.orbstack/run/docker.sock`)
  expect(hosts({}, 'win32').every(host => host.startsWith('npipe:////./pipe/'))).toBe(true)
})

test('a socket that answers something else is no engine', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end())
  const socket = join(home, 'other.sock')
  await new Promise<void>(resolve => server.listen(socket, resolve))
  expect(await ping(`unix://${socket}`)).toBe(false)
  await new Promise(resolve => server.close(resolve))
})

test('a socket that accepts and says nothing is given up', async () => {
  const server = createServer(() => undefined)
  const socket = join(home, 'silent.sock')
  await new Promise<void>(resolve => server.listen(socket, resolve))
  expect(await ping(`unix://${socket}`, 50)).toBe(false)
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

function writeContext(name: string, host: string): void {
  const folder = join(home, '.docker', 'contexts', 'meta', createHash('sha256').update(name).digest('hex'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'meta.json'), JSON.stringify({ Endpoints: { docker: { Host: host } } }))
}
