import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { engineAddress } from '../../server/api/v1/system/engines.ts'
import { availableEngines, candidateAt, type DockerAddress } from '../../server/docker/address.ts'
import type { Machine } from '../../server/docker/candidates.mjs'

let home: string
let machine: Machine
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'atelier-home-'))
  machine = { env: {}, platform: 'linux', home, uid: 1000 }
})
afterEach(() => rmSync(home, { recursive: true }))

const typed = (host: string, certificates: string | null = null): DockerAddress => ({
  kind: 'host',
  host,
  certificates,
})

test.each([
  ['tcp://192.0.2.1:2375', 'certificates'],
  ['tcp://build.example.com', 'certificates'],
  ['tcp://me@127.0.0.1:2375', 'a machine and a port'],
  ['tcp://127.0.0.1:2375/v1', 'a machine and a port'],
  ['https://127.0.0.1:2376/?token=secret', 'a machine and a port'],
  ['ssh://me:secret@build', 'password'],
  ['ssh://-oProxyCommand=touch/x', ''],
  ['ssh://build/run/docker.sock', 'after the host'],
  ['unix:///tmp/other.sock', 'ssh://user@machine'],
  ['file:///etc/passwd', 'ssh://user@machine'],
  ['nothing', 'ssh://user@machine'],
])('%s is refused in words that do not repeat a secret', (host, words) => {
  const look = () => candidateAt(typed(host), machine)
  expect(look).toThrow(expect.objectContaining({ code: 'bad_request', message: expect.stringContaining(words) }))
  expect(look).not.toThrow(/secret/)
})

test('certificates are named by an absolute path', () => {
  expect(() => candidateAt(typed('tcp://build:2376', 'keys'), machine)).toThrow(/absolute path/)
  expect(candidateAt(typed('tcp://build:2376', '/keys'), machine)).toMatchObject({ certificates: '/keys' })
  expect(candidateAt(typed('tcp://127.0.0.1:2375'), machine)).toMatchObject({ host: 'tcp://127.0.0.1:2375' })
  expect(candidateAt(typed('ssh://me@build:2222'), machine)).toMatchObject({ certificates: undefined })
})

test('a password is refused at the door', () => {
  expect(engineAddress.safeParse(typed('ssh://me:secret@build')).success).toBe(false)
  expect(engineAddress.safeParse({ kind: 'context', name: '../x' }).success).toBe(false)
})

test('a socket is one of the usual ones, and a docker context one that there is', () => {
  const socket = { kind: 'socket', host: 'unix:///run/podman/podman.sock' } as const
  expect(candidateAt(socket, machine)).toMatchObject({ name: 'Podman' })
  expect(() => candidateAt({ ...socket, host: 'unix:///tmp/other.sock' }, machine)).toThrow(/no usual socket/)
  expect(() => candidateAt({ kind: 'context', name: 'gone' }, machine)).toThrow(/no docker context gone/)
})

test('what is available is there, not used yet, and named once', async () => {
  const path = join(home, '.docker', 'desktop', 'docker.sock')
  mkdirSync(join(home, '.docker', 'desktop'), { recursive: true })
  const server = createServer().listen(path)
  await new Promise(resolve => server.once('listening', resolve))
  const socket = `unix://${path}`
  writeContext('desktop', socket)
  writeContext('far', 'ssh://me@far')
  writeContext('gone', 'unix:///nowhere/docker.sock')
  writeContext('secret', 'tcp://me:secret@far:2376')
  const found = availableEngines(machine, new Set())
  expect(found.filter(({ host }) => host === socket)).toEqual([
    { name: 'docker context desktop', host: socket, address: { kind: 'context', name: 'desktop' } },
  ])
  expect(found).toContainEqual(expect.objectContaining({ address: { kind: 'context', name: 'far' } }))
  expect(JSON.stringify(found)).not.toMatch(/secret|nowhere/)
  expect(availableEngines(machine, new Set([socket])).map(({ host }) => host)).not.toContain(socket)
  await new Promise(resolve => server.close(resolve))
})

function writeContext(name: string, host: string): void {
  const folder = join(home, '.docker', 'contexts', 'meta', createHash('sha256').update(name).digest('hex'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'meta.json'), JSON.stringify({ Name: name, Endpoints: { docker: { Host: host } } }))
}
