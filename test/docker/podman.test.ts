import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../server/api/v1/sandbox/specs.ts'
import { thisMachine } from '../../server/docker/candidates.mjs'
import { findEngine } from '../../server/docker/socket.ts'
import type { SandboxHandle } from '../../server/domain/sandbox-handle.ts'
import { it as base } from '../fixtures/base.ts'
import { PodmanEngine } from '../parts/engine/podman-engine.ts'
import { startParts } from '../sandbox/parts.ts'

const never = new AbortController().signal

const it = base
  .extend('podman', { scope: 'file' }, async ({}, { onCleanup }) => {
    const podman = new PodmanEngine()
    onCleanup(() => podman.close())
    await podman.start()
    return podman
  })
  .extend('parts', { scope: 'file' }, async ({ podman }, { onCleanup }) => {
    const machine = { ...thisMachine(), env: { ...process.env, DOCKER_HOST: podman.host } }
    const parts = await startParts({ find: signal => findEngine(machine, signal) })
    onCleanup(() => parts.close())
    await parts.connection.answers(never)
    return parts
  })
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))

const sh = (sandbox: SandboxHandle, script: string, stdin?: Buffer) =>
  sandbox.exec({ argv: ['/bin/sh', '-c', script], ...(stdin && { stdin }) })

it('runs commands, also many at once, and what is not read to its end', async ({ parts, podman, sandbox }) => {
  expect(parts.connection.status()).toMatchObject({ state: 'ready', endpoint: podman.host })
  const echoed = await sh(sandbox, 'cat; echo problem >&2; exit 3', Buffer.from('hi'))
  expect(echoed).toMatchObject({ stdout: 'hi', stderr: 'problem\n', exitCode: 3 })
  expect(await sh(sandbox, 'exit 4', randomBytes(1_000_000))).toMatchObject({ exitCode: 4 })
  const many = await Promise.all(Array.from({ length: 20 }, (_, index) => sh(sandbox, `echo ${index}`)))
  expect(many.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 20 }, (_, index) => `${index}\n`))
})

it('carries files of any name in both directions', async ({ sandbox }) => {
  const bytes = randomBytes(3_000_000)
  for (const path of ['/tmp/plain', '/tmp/a [b] {c,d} ?.bin']) {
    await sandbox.writeFile(path, bytes)
    expect((await sandbox.readFile(path)).equals(bytes)).toBe(true)
  }
})

it('keeps sandboxes of the network `none` from the host', async ({ parts, podman: { host } }) => {
  const image = parts.images.reference ?? ''
  const { id: closed } = await parts.specs.create(sandboxSpecRequest.parse({ title: host, image, network: 'none' }))
  const sandbox = await parts.sandboxes.open((await parts.sandboxes.start(closed)).id)
  expect((await sh(sandbox, 'curl -s -m 3 http://10.88.0.1/')).exitCode).not.toBe(0)
  expect((await sh(sandbox, 'cat /proc/net/route')).stdout.trim().split('\n')).toHaveLength(1)
})

it('pauses, goes on, and removes what it has made', async ({ parts }) => {
  const { id } = await parts.sandboxes.start()
  await parts.sandboxes.pause(id)
  expect((await parts.sandboxes.get(id)).status).toBe('PAUSED')
  await parts.sandboxes.resume(id)
  const sandbox = await parts.sandboxes.open(id)
  expect((await sh(sandbox, 'echo on')).stdout).toBe('on\n')
  await parts.sandboxes.delete(id)
  const left = await parts.connection.engine().listObjects({ 'dev.atelier.instance': parts.instanceId })
  expect(left.filter(({ name }) => name.includes(id))).toEqual([])
})

it('goes on with its sandboxes when its service has died', async ({ parts, podman, sandbox }) => {
  await podman.kill()
  await expect.poll(() => parts.connection.status().state).toBe('unavailable')
  await podman.start()
  await parts.connection.answers(never)
  expect((await sh(sandbox, 'echo still')).stdout).toBe('still\n')
})
