import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contextCandidate, engineCandidates, engineContexts, type Machine } from '../../server/docker/candidates.mjs'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'atelier-home-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('DOCKER_HOST is the only candidate when it is set', () => {
  writeContext('work', 'unix:///work.sock')
  const found = engineCandidates(machine({ env: { DOCKER_HOST: 'unix:///x.sock' } }))
  expect(found).toEqual([{ name: 'DOCKER_HOST', host: 'unix:///x.sock', certificates: undefined, chosen: true }])
})

test('DOCKER_HOST without a scheme is TCP, with TLS when it is asked for', () => {
  const env = { DOCKER_HOST: 'build.lan:2376', DOCKER_TLS_VERIFY: '1' }
  const [found] = engineCandidates(machine({ env }))
  expect(found).toMatchObject({ host: 'tcp://build.lan:2376', certificates: join(home, '.docker') })
})

test('the current docker context comes before the usual sockets', () => {
  writeContext('colima', 'unix:///colima.sock')
  const hosts = engineCandidates(machine({})).map(each => each.host)
  expect(hosts[0]).toBe('unix:///colima.sock')
  expect(hosts).toContain('unix:///var/run/docker.sock')
})

test('DOCKER_CONTEXT wins over the configured context', () => {
  writeContext('one', 'unix:///one.sock')
  writeContext('two', 'unix:///two.sock')
  const [first] = engineCandidates(machine({ env: { DOCKER_CONTEXT: 'one' } }))
  expect(first).toMatchObject({ name: 'docker context one', host: 'unix:///one.sock' })
})

test('a context brings its own certificates', () => {
  const keys = join(home, '.docker', 'contexts', 'tls', digest('far'), 'docker')
  writeContext('far', 'tcp://far:2376')
  mkdirSync(keys, { recursive: true })
  writeFileSync(join(keys, 'ca.pem'), '')
  expect(engineCandidates(machine({}))[0]).toMatchObject({ certificates: keys })
})

test('a damaged docker configuration is as none', () => {
  mkdirSync(join(home, '.docker'), { recursive: true })
  writeFileSync(join(home, '.docker', 'config.json'), '{"currentContext": 7')
  expect(engineCandidates(machine({}))[0]?.host).toBe('unix:///var/run/docker.sock')
})

test('all docker contexts are listed by name, but for what Docker did not write', () => {
  writeContext('work', 'ssh://me@work')
  writeContext('build', 'tcp://build:2376')
  const meta = join(home, '.docker', 'contexts', 'meta')
  const folder = (name: string) => {
    mkdirSync(join(meta, name), { recursive: true })
    return join(meta, name, 'meta.json')
  }
  writeFileSync(folder('damaged'), '{"Name": ')
  writeFileSync(
    folder(digest('other')),
    JSON.stringify({ Name: 'another', Endpoints: { docker: { Host: 'tcp://a' } } }),
  )
  writeFileSync(folder(digest('none')), JSON.stringify({ Name: 'none', Endpoints: 7 }))
  writeFileSync(folder(digest('huge')), JSON.stringify({ Name: 'huge', filling: 'x'.repeat(2 ** 21) }))
  execFileSync('mkfifo', [folder(digest('endless'))])
  symlinkSync('/dev/zero', folder(digest('zero')))
  expect(engineContexts(machine({}), 100).map(each => [each.name, each.candidate.host])).toEqual([
    ['build', 'tcp://build:2376'],
    ['work', 'ssh://me@work'],
  ])
  expect(engineContexts(machine({}), 0)).toEqual([])
  expect(contextCandidate(machine({}), 'endless')).toBeUndefined()
  expect(contextCandidate(machine({}), '../../elsewhere')).toBeUndefined()
})

test('sockets of rootless engines are looked for only where their folder is known', () => {
  const without = engineCandidates(machine({})).map(each => each.host)
  const own = engineCandidates(machine({ env: { XDG_RUNTIME_DIR: '/run/user/1000' } })).map(each => each.host)
  expect(without.join()).not.toContain('${')
  expect(own).toContain('unix:///run/user/1000/docker.sock')
  expect(new Set(own).size).toBe(own.length)
})

test('Windows looks at named pipes', () => {
  const found = engineCandidates(machine({ platform: 'win32' }))
  expect(found.length).toBeGreaterThan(0)
  expect(found.every(each => each.host.startsWith('npipe:////./pipe/'))).toBe(true)
})

test('macOS has a list of its own', () => {
  const hosts = engineCandidates(machine({ platform: 'darwin' })).map(each => each.host)
  expect(hosts).toContain(`unix://${home}/.orbstack/run/docker.sock`)
})

function machine(change: Partial<Machine>): Machine {
  return { env: {}, platform: 'linux', home, uid: 1000, ...change }
}

function writeContext(name: string, host: string): void {
  const folder = join(home, '.docker', 'contexts', 'meta', digest(name))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'meta.json'), JSON.stringify({ Name: name, Endpoints: { docker: { Host: host } } }))
  writeFileSync(join(home, '.docker', 'config.json'), JSON.stringify({ currentContext: name }))
}

function digest(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
