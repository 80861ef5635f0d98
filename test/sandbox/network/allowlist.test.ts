import { describe, expect } from 'vitest'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import type { NetworkPolicy } from '../../../server/domain/network-policy.ts'
import { it as base } from '../../fixtures/sandbox.ts'
import { answerQuestionsOf, gatewayOf, startInternet } from '../../parts/internet.ts'
import { until } from '../parts.ts'

const policy = (...hosts: string[]): NetworkPolicy => ({ network: 'allowlist', allowlist: { presets: [], hosts } })

const test = base
  .extend('internet', { scope: 'file' }, async ({}, { onCleanup }) => {
    const internet = await startInternet()
    onCleanup(internet.close)
    return internet
  })
  .extend('sandbox', { scope: 'file' }, async ({ parts, internet }, { onCleanup }) => {
    const allowed = policy('allowed.test', '*.below.test', `one-port.test:${internet.ports.http}`, 'unknown.test', 'private.test')
    const { id } = await parts.sandboxes.start(null, { policy: allowed })
    const gateway = await gatewayOf(parts.outside, parts.instanceId)
    onCleanup(answerQuestionsOf(gateway.NetworkSettings.Networks.bridge?.IPAddress ?? ''))
    return parts.sandboxes.open(id)
  })

const sh = (sandbox: SandboxHandle, script: string) => sandbox.exec({ argv: ['/bin/sh', '-c', script], timeoutMs: 30_000 })
const curl = async (sandbox: SandboxHandle, ...args: string[]) => {
  const { stdout, exitCode } = await sandbox.exec({ argv: ['curl', '-sSk', '-m', '10', ...args], timeoutMs: 30_000 })
  return exitCode === 0 ? stdout.trim() : `curl ${exitCode}`
}

describe('a name of the list is reached', () => {
  test('over HTTP and TLS, at every port', async ({ sandbox, internet: { ports } }) => {
    expect(await curl(sandbox, `http://allowed.test:${ports.http}/`)).toBe(`hello from allowed.test:${ports.http}`)
    expect(await curl(sandbox, `https://allowed.test:${ports.https}/`)).toBe(`hello from allowed.test:${ports.https}`)
  })

  test('below a wildcard, however deep, and not the name itself', async ({ sandbox, internet: { ports } }) => {
    const at = (name: string) => curl(sandbox, `https://${name}:${ports.https}/`)
    expect(await at('a.below.test')).toContain('hello')
    expect(await at('b.a.below.test')).toContain('hello')
    expect(await at('below.test')).toBe('curl 35')
  })
})

describe('nothing else is reached', () => {
  test.for([
    'other.test',
    'allowed.test.other.test',
    'notallowed.test',
    'xbelow.test',
    'below.test.evil.test',
    'allowed.test.',
    'ALLOWED.test.evil.test',
  ])('%s, by no protocol', async (name, { sandbox, internet: { ports, asked } }) => {
    asked.length = 0
    expect(await curl(sandbox, `http://${name}:${ports.http}/`)).toContain(name === 'allowed.test.' ? 'hello' : 'The network policy')
    const over = await curl(sandbox, `https://${name}:${ports.https}/`)
    if (name !== 'allowed.test.') {
      expect(over).toBe('curl 35')
      expect(asked).toEqual([])
    }
  })
})

test('attempts are told', async ({ parts, sandbox, internet: { ports } }) => {
  await curl(sandbox, `http://told.test:${ports.http}/`)
  const told = await until(parts.bus, async () => {
    const { attempts } = await parts.sandboxes.network(sandbox.id)
    return attempts.find(each => each.host === 'told.test')
  })
  expect(told).toMatchObject({ host: 'told.test', port: ports.http, verdict: 'refused', count: 1 })
})
