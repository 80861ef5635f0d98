import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { isImageReference } from '../../server/api/v1/sandbox/image-reference.ts'
import { createClient } from '../../server/docker/client.ts'
import { DockerodeEngine } from '../../server/docker/dockerode-engine.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(answer: Parameters<typeof createServer>[1]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer?.(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  return { asked, address: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function engineAt(address: string): DockerodeEngine {
  const endpoint = { host: `tcp://${address}`, certificates: undefined }
  const engine = new DockerodeEngine(address, createClient(endpoint))
  closers.push(() => engine.close())
  return engine
}

const HOSTILE_NAMES = [
  'https://ghcr.io/openhands/runtime:1',
  'a/../../127.0.0.1:9/x',
  '../../../info',
  'a//b',
  'a/./b',
  '/etc',
  'a?b=c',
  'a#b',
  'a b',
  'a%2f..%2fb',
  'a\\..\\b',
  'a\r\nHost: x',
  '-a',
  'A/B/C',
  'ä',
  '',
]
const NAMES = [
  'debian',
  'debian:13',
  'node:22-bookworm_slim.1',
  'ghcr.io/openhands/runtime:1',
  'localhost:5000/a/b:1',
  '127.0.0.1:5000/a/b:1',
  '[::1]:5000/a',
  'Registry.example/a__b/c-d/e.f',
  `a@sha256:${'0'.repeat(64)}`,
  `a:1@sha256:${'0'.repeat(64)}`,
  `sha256:${'a'.repeat(64)}`,
]

describe('names of images', () => {
  test.each(NAMES)('%s is one', name => expect(isImageReference(name)).toBe(true))
  test.each(HOSTILE_NAMES)('%j is none', name => expect(isImageReference(name)).toBe(false))

  test('cost linear time to look at (CWE-1333)', () => {
    for (const part of ['a', 'a.', 'a-', 'a/', 'a__', '1:', '[:']) {
      expect(isImageReference(`${part.repeat(200_000)}!`)).toBe(false)
      expect(isImageReference(`${part.repeat(Math.floor(490 / part.length))}!`)).toBe(false)
    }
  })
})

describe('a request to the engine', () => {
  test('never follows a redirect to another address (SSRF, CWE-918)', async () => {
    const victim = await serve((_request, response) => response.end('{}'))
    const engine = await serve((_request, response) =>
      response.writeHead(301, { location: `http://${victim.address}/x` }).end(),
    )
    await expect(engineAt(engine.address).inspectContainer('a')).rejects.toMatchObject({ code: 'engine_failed' })
    expect(engine.asked).toHaveLength(1)
    await fetch(`http://${victim.address}/ours`)
    expect(victim.asked).toEqual(['/ours'])
  })

  test.each(['ftp://x', 'http://images.invalid/', '//', '/elsewhere', 'nonsense:'])(
    'survives a redirect to %s',
    async location => {
      const engine = await serve((_request, response) => response.writeHead(307, { location }).end())
      await expect(engineAt(engine.address).info()).rejects.toMatchObject({ code: 'engine_failed' })
      await expect(
        engineAt(engine.address)
          .getArchive('a', '/x')
          .then(() => 'read'),
      ).rejects.toBeInstanceOf(Error)
    },
  )

  test.each(HOSTILE_NAMES)('is not made for an image named %j', async name => {
    const engine = await serve((_request, response) => response.end('{}'))
    expect(await engineAt(engine.address).image(name)).toBeUndefined()
    await expect(engineAt(engine.address).pullImage(name, () => {})).rejects.toMatchObject({
      code: 'image_pull_failed',
      details: { reason: 'not_found' },
    })
    expect(engine.asked).toEqual([])
  })

  test.each(['../../info', 'a/../b', 'a b', 'a//b', '.', '..', ''])(
    'is not made for a container named %j',
    async id => {
      const engine = await serve((_request, response) => response.end('{}'))
      await expect(engineAt(engine.address).removeContainer(id)).rejects.toMatchObject({ code: 'bad_request' })
      expect(engine.asked).toEqual([])
    },
  )
})

test('a container that the engine holds does not hold up the list of the others', async () => {
  const listed = (name: string, State = 'running') => ({
    Id: name,
    Names: [`/${name}`],
    Image: 'debian',
    State,
    Created: 1,
    Labels: { a: 'b' },
    Ports: [{ IP: '127.0.0.1', PrivatePort: 8001, PublicPort: 40001, Type: 'tcp' }],
  })
  const inspected = {
    Id: 'free',
    Name: '/free',
    Created: '2026-01-01T00:00:00Z',
    State: { Status: 'running' },
    Config: { Image: 'debian', Labels: {} },
    NetworkSettings: { Ports: {} },
  }
  const engine = await serve((request, response) => {
    if (/\/containers\/(held|paused|unlisted)\/json/.test(request.url ?? '')) return
    response.setHeader('content-type', 'application/json')
    const free = request.url?.includes('/containers/free/json')
    const all = [listed('free'), listed('held'), listed('paused', 'paused')]
    response.end(JSON.stringify(free ? inspected : all))
  })
  const states = await engineAt(engine.address).listContainers({})
  expect(states).toMatchObject([
    { id: 'free', status: 'running' },
    { id: 'held', name: 'held', status: 'running', labels: { a: 'b' }, ports: { 8001: 40001 } },
    { id: 'paused', status: 'paused' },
  ])
  // One that is paused may be locked by whoever looks at it.
  expect(engine.asked.filter(path => path.includes('/paused/'))).toEqual([])
  const looks = ['held', 'unlisted'].map(name => engineAt(engine.address).inspectContainer(name))
  const [held, unlisted] = await Promise.allSettled(looks)
  expect(held).toMatchObject({ value: { id: 'held', status: 'running' } })
  expect(unlisted).toMatchObject({ reason: { code: 'engine_failed' } })
})
