import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { parseRefused } from '../../../server/sandbox/network/refused-connections.ts'
import { it as base } from '../../fixtures/base.ts'
import { startParts } from '../parts.ts'

const it = base
  .extend('parts', { scope: 'file' }, async ({}, { onCleanup }) => {
    const parts = await startParts()
    onCleanup(() => parts.close())
    return parts
  })
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))

it('an open network notes which private addresses it refused, and how often', async ({ parts, sandbox }) => {
  const { network } = parts.sandboxes
  const since = new Date().toISOString()
  const ask = (url: string) =>
    sandbox.exec({ argv: ['curl', '-s', '-o', '/dev/null', '-m', '10', url], isForeign: true })
  expect((await network.of(sandbox.id)).attempts).toEqual([])
  for (const url of ['http://10.11.12.13:5432/', 'http://10.11.12.13:5432/', 'http://[fd00::5]:81/']) {
    expect((await ask(url)).exitCode).not.toBe(0)
  }
  const { attempts } = await network.of(sandbox.id)
  expect(attempts).toContainEqual(
    expect.objectContaining({ host: '10.11.12.13', port: 5432, verdict: 'refused', reason: 'private', count: 2 }),
  )
  await ask('http://10.11.12.13:5432/')
  const refused = await network.refusedSince(sandbox.id, since)
  expect(refused).toContainEqual(expect.objectContaining({ host: '10.11.12.13', port: 5432, count: 3 }))
  // What was read is not read again.
  expect((await network.of(sandbox.id)).attempts).toEqual(expect.arrayContaining(refused))
})

it('what is allowed is reached, and counts from then on as new where it is closed again', async ({
  parts,
  sandbox,
}) => {
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  const ask = () =>
    sandbox.exec({ argv: ['curl', '-s', '-m', '10', `http://host.docker.internal:${port}/`], isForeign: true })
  const count = async () =>
    (await parts.sandboxes.network.of(sandbox.id)).attempts.find(each => each.port === port)?.count ?? 0
  expect((await ask()).exitCode).not.toBe(0)
  expect(await count()).toBe(1)
  parts.allowHosts(`host.docker.internal:${port}`)
  await expect.poll(async () => (await ask()).stdout).toBe('here')
  parts.allowHosts()
  await expect.poll(async () => (await ask()).exitCode).not.toBe(0)
  // As many as before, by rules that have counted nothing yet.
  expect(await count()).toBeGreaterThan(1)
  server.close()
})

it('takes nothing from what nft does not print', () => {
  for (const printed of [
    '',
    'no JSON',
    '[]',
    '{}',
    '{"nftables":[{"set":{"name":"refused4","elem":["10.0.0.1",{"elem":{}}]}}]}',
  ]) {
    expect(parseRefused(printed)).toEqual([])
  }
})
