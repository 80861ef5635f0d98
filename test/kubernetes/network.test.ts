import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../server/api/v1/sandbox/specs.ts'
import type { SandboxHandle } from '../../server/domain/sandbox-handle.ts'
import { it as base } from '../fixtures/base.ts'
import { apiServer, IMAGE, startClusterParts } from '../parts/kubernetes/cluster.ts'
import type { Parts } from '../sandbox/parts.ts'

const it = base.extend('parts', { scope: 'file' }, async ({}, { onCleanup }) => {
  const parts = await startClusterParts()
  onCleanup(() => parts.close())
  return parts
})

const sh = (sandbox: SandboxHandle, script: string) => sandbox.exec({ argv: ['/bin/sh', '-c', script] })

async function start(parts: Parts, network: 'none' | 'full' | 'allowlist', more: object = {}) {
  const spec = await parts.specs.create(sandboxSpecRequest.parse({ title: network, image: IMAGE, network, ...more }))
  return parts.sandboxes.open((await parts.sandboxes.start(spec.id)).id)
}

/** The API server: an address of the private network that every pod reaches which nothing keeps from it. */
const { host, port } = apiServer()
const ask = `curl -ks -m 5 -o /dev/null -w '%{http_code}' https://${host}:${port}/`

it('keeps an open sandbox from the private network, but for what the person has allowed', async ({ parts }) => {
  const sandbox = await start(parts, 'full')
  // Refused, and not dropped.
  expect((await sh(sandbox, ask)).exitCode).toBe(7)
  parts.allowHosts(`${host}:${port}`)
  await expect.poll(async () => (await sh(sandbox, ask)).stdout).toMatch(/^40[13]$/)
  parts.allowHosts()
  await expect.poll(async () => (await sh(sandbox, ask)).exitCode).toBe(7)
})

it('closes a sandbox without a network, also after a pause', async ({ parts }) => {
  parts.allowHosts(`${host}:${port}`)
  const sandbox = await start(parts, 'none')
  expect((await sh(sandbox, ask)).exitCode).toBe(7)
  await parts.sandboxes.pause(sandbox.id)
  await parts.sandboxes.resume(sandbox.id)
  expect((await sh(sandbox, ask)).exitCode).toBe(7)
  parts.allowHosts()
})

it('changes what a paused sandbox reaches from its next start on', async ({ parts }) => {
  parts.allowHosts(`${host}:${port}`)
  const sandbox = await start(parts, 'full')
  await expect.poll(async () => (await sh(sandbox, ask)).stdout).toMatch(/^40[13]$/)
  await parts.sandboxes.pause(sandbox.id)
  await parts.sandboxes.network.change(sandbox.id, { network: 'none', allowlist: { presets: [], hosts: [] } })
  await parts.sandboxes.resume(sandbox.id)
  expect((await sh(sandbox, ask)).exitCode).toBe(7)
  parts.allowHosts()
})

it('has its network closed before its first process begins', async ({ parts }) => {
  parts.allowHosts(`${host}:${port}`)
  const command = ['/bin/sh', '-c', `${ask} >/workspace/first; echo $? >/workspace/code; exec sleep 1000`]
  const sandbox = await start(parts, 'none', { command })
  await expect.poll(async () => (await sh(sandbox, 'cat /workspace/code')).stdout).toBe('7\n')
  parts.allowHosts()
})

it('lets nothing in a sandbox change what it may reach', async ({ parts }) => {
  const sandbox = await start(parts, 'full')
  const id = await sh(sandbox, 'id -u; grep NoNewPrivs /proc/self/status; grep CapEff /proc/self/status')
  expect(id.stdout).toMatch(/^0\nNoNewPrivs:\s+1\n/)
  for (const attempt of [
    'nft flush ruleset',
    'nft delete table inet atelier',
    'unshare -n true',
    'ip link set eth0 down',
    'mount -t tmpfs none /mnt',
    'nsenter -t 1 -n nft flush ruleset',
  ]) {
    expect((await sh(sandbox, attempt)).exitCode, attempt).not.toBe(0)
  }
  expect((await sh(sandbox, ask)).exitCode).toBe(7)
  // Neither the network container's processes nor any key of the cluster's is to be seen.
  expect((await sh(sandbox, 'ps -eo args')).stdout).not.toContain('2147483647 &')
  expect((await sh(sandbox, 'ls /var/run/secrets')).stdout).toBe('')
})

it('changes what a sandbox reaches while it runs, and notes what it tried', async ({ parts }) => {
  const sandbox = await start(parts, 'full')
  const network = parts.sandboxes.network
  const allowlist = { presets: [], hosts: ['allowed.example.com'] }
  await network.change(sandbox.id, { network: 'allowlist', allowlist })
  const refused = await sh(sandbox, 'curl -ks -m 10 -o /dev/null https://refused.example.com/')
  expect(refused.exitCode).not.toBe(0)
  await expect.poll(async () => JSON.stringify(await network.of(sandbox.id))).toContain('refused.example.com')
})
