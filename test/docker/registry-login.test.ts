import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Machine } from '../../server/docker/candidates.mjs'
import { registryLogin, registryOf } from '../../server/docker/image/registry-login.ts'

const HUB = 'https://index.docker.io/v1/'

let home: string
let machine: Machine

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'atelier-logins-'))
  machine = { env: { PATH: `${join(home, 'bin')}:${process.env.PATH}` }, platform: 'linux', home, uid: 1000 }
  return () => rmSync(home, { recursive: true })
})

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content))
}

function docker(config: unknown): void {
  write('.docker/config.json', config)
}

/** A program that keeps logins: `script` sees the address as $address. */
function helper(name: string, script: string): void {
  write(`bin/docker-credential-${name}`, `#!/bin/sh\n[ "$1" = get ] || exit 9\nread -r address\n${script}\n`)
  chmodSync(join(home, 'bin', `docker-credential-${name}`), 0o755)
}

const pair = (user: string, password: string) => ({ auth: Buffer.from(`${user}:${password}`).toString('base64') })

test.each([
  ['debian', 'docker.io'],
  ['ada/tools:1', 'docker.io'],
  ['index.docker.io/ada/tools', 'docker.io'],
  ['ghcr.io/owner/image:1@sha256:00', 'ghcr.io'],
  ['localhost/a', 'localhost'],
  ['[::1]:5000/a:2', '[::1]:5000'],
])('the registry of %s is %s', (reference, host) => {
  expect(registryOf(reference)).toBe(host)
})

describe('a login in a file', () => {
  test('is found for its own registry alone, with a password that has colons', async () => {
    docker({ auths: { 'registry.test:5000': pair('ada', 'p:w\0') } })
    expect(await registryLogin('registry.test:5000/team/image:1', machine)).toEqual({
      auth: { serveraddress: 'registry.test:5000', username: 'ada', password: 'p:w' },
    })
    for (const other of ['registry.test/team/image', 'registry.test:5000.evil.test/team/image', 'team/image'])
      expect(await registryLogin(other, machine)).toEqual({})
  })

  test.each([HUB, 'docker.io', 'index.docker.io'])('to Docker Hub may be kept as %s', async key => {
    docker({ auths: { [key]: { identitytoken: 't' } } })
    expect(await registryLogin('debian:13', machine)).toEqual({ auth: { serveraddress: HUB, identitytoken: 't' } })
  })

  test("lies where DOCKER_CONFIG says, or is one of Podman's, whose longest path counts", async () => {
    write('.config/containers/auth.json', {
      auths: { 'quay.test': pair('all', '1'), 'quay.test/team': pair('team', '2') },
    })
    expect(await registryLogin('quay.test/team/image', machine)).toMatchObject({ auth: { username: 'team' } })
    expect(await registryLogin('quay.test/teams/image', machine)).toMatchObject({ auth: { username: 'all' } })
    write('elsewhere/config.json', { auths: { 'quay.test': pair('docker', '3') } })
    machine.env.DOCKER_CONFIG = join(home, 'elsewhere')
    expect(await registryLogin('quay.test/team/image', machine)).toMatchObject({ auth: { username: 'docker' } })
  })

  test.each(['{', '[]', 'null', { auths: 3, credHelpers: [1], credsStore: {} }, { auths: { 'a.test': 7 } }])(
    'is none in a damaged file: %j',
    async content => {
      docker(content)
      expect(await registryLogin('a.test/image', machine)).toEqual({})
    },
  )
})

describe('a program that keeps logins', () => {
  test('is asked with the address, for one registry or for all, and may give a token', async () => {
    docker({ credsStore: 'all', credHelpers: { 'one.test': 'one' } })
    helper('all', `printf '{"ServerURL":"%s","Username":"%s","Secret":"s"}' "$address" "$address"`)
    helper('one', `echo '{"ServerURL":"","Username":"<token>","Secret":"t"}'`)
    expect(await registryLogin('one.test/image', machine)).toEqual({
      auth: { serveraddress: 'one.test', identitytoken: 't' },
    })
    expect(await registryLogin('debian', machine)).toEqual({
      auth: { serveraddress: HUB, username: HUB, password: 's' },
    })
  })

  test('that knows of none is as none, and the next file is looked at', async () => {
    docker({ credsStore: 'empty' })
    helper('empty', 'echo credentials not found in native keychain; exit 1')
    expect(await registryLogin('a.test/image', machine)).toEqual({})
    write('.config/containers/auth.json', { auths: { 'a.test': pair('podman', '1') } })
    expect(await registryLogin('a.test/image', machine)).toMatchObject({ auth: { username: 'podman' } })
  })

  test.each([
    ['is missing', '', 'it is not installed'],
    ['is locked', 'echo the keychain is locked.; exit 1', 'the keychain is locked'],
    ['answers with half of a secret', `printf '{"Username":"ada","Secret":"canary'; exit 1`, 'it failed'],
    ['answers without an end', 'yes canary', 'it failed'],
    ['answers something else', 'echo canary', 'it did not answer as such a program does'],
    ['answers without a secret', `echo '{"Username":"canary"}'`, 'it did not answer as such a program does'],
  ])('that %s is told without what it knows', async (_case, script, reason) => {
    docker({ credsStore: 'odd' })
    if (script) helper('odd', script)
    const { auth, problem } = await registryLogin('a.test/image', machine)
    expect(auth).toBeUndefined()
    expect(problem).toBe(`docker-credential-odd gave no login: ${reason}.`)
  })

  test('that is missing does not hide a login in the next file', async () => {
    docker({ credsStore: 'removed' })
    write('.config/containers/auth.json', { auths: { 'a.test': pair('podman', '1') } })
    expect(await registryLogin('a.test/image', machine)).toMatchObject({ auth: { username: 'podman' } })
  })

  test.each(['../../tmp/x', 'a b', '-x', ''])('cannot be called %j', async name => {
    docker({ credsStore: name })
    expect(await registryLogin('a.test/image', machine)).toEqual({ problem: expect.stringContaining('cannot be one') })
  })

  test('is ended when the pull is cancelled', async () => {
    docker({ credsStore: 'slow' })
    helper('slow', 'exec sleep 60')
    const cancel = new AbortController()
    const asked = registryLogin('a.test/image', machine, cancel.signal)
    setTimeout(() => cancel.abort(new Error('changed my mind')), 50)
    await expect(asked).rejects.toThrow('changed my mind')
  })
})
