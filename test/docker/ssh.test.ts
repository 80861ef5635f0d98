import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { thisMachine } from '../../server/docker/candidates.mjs'
import { findEngine } from '../../server/docker/socket.ts'
import { sshAddress, sshArguments } from '../../server/docker/ssh/address.ts'
import { it as base } from '../fixtures/base.ts'
import { startSshServer } from '../parts/engine/ssh-server.ts'

const never = new AbortController().signal

const it = base.extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
  const server = await startSshServer()
  onCleanup(server.close)
  return server
})

const over = (host: string, env: NodeJS.ProcessEnv) => ({ ...thisMachine(), env: { ...env, DOCKER_HOST: host } })

describe('an engine behind SSH', () => {
  it('says what SSH said where it cannot be reached', async ({ server }) => {
    const refused = await findEngine(over(server.host, server.envWithoutKey), never)
    expect(refused).toMatchObject({ kind: 'none', reason: expect.stringMatching(/ssh:\/\/.*Permission denied/) })
    const nobody = await findEngine(over('ssh://127.0.0.1:1', server.env), never)
    expect(nobody).toMatchObject({ kind: 'none', reason: expect.stringContaining('Connection refused') })
    const missing = await findEngine(over(server.host, { PATH: '/nowhere' }), never)
    expect(missing).toMatchObject({ kind: 'none', reason: expect.stringContaining('ssh is not installed') })
  })

  it('leaves no socket and no session behind', async ({ server }) => {
    const folders = () =>
      readdirSync('/tmp').filter(name => name.startsWith('atelier-ssh-') && !name.includes('server'))
    const before = folders()
    const found = await findEngine(over(server.host, server.env), never)
    if (found.kind !== 'found') throw new Error(found.reason)
    const [made = ''] = folders().filter(name => !before.includes(name))
    expect(existsSync(`/tmp/${made}/engine`)).toBe(true)
    await found.engine.close()
    await expect.poll(() => folders().includes(made)).toBe(false)
  })
})

describe('an address of SSH', () => {
  test('names a host, and perhaps a user and a port', () => {
    expect(sshAddress('ssh://far')).toEqual({ host: 'far', user: undefined, port: undefined })
    expect(sshAddress('ssh://me@far.example:2222/')).toEqual({ host: 'far.example', user: 'me', port: '2222' })
    expect(sshAddress('ssh://[2001:db8::7]')).toMatchObject({ host: '2001:db8::7' })
  })

  test.each([
    'ssh://-oProxyCommand=x',
    'ssh://-l@far',
    'ssh://a%20b@far',
    'ssh://me:secret@far',
    'ssh://far/var/run/docker.sock',
    'ssh://%2DoProxyCommand=touch',
  ])('is refused as %s', text => {
    expect(() => sshAddress(text)).toThrow()
  })

  test('never becomes an option of ssh', () => {
    const argv = sshArguments({ host: 'far', user: 'me', port: '22' }, undefined)
    expect(argv.slice(-3)).toEqual(['--', 'far', 'docker system dial-stdio'])
    expect(argv.join(' ')).not.toContain('Control')
  })
})
