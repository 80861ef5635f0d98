import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect } from 'vitest'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { it as base } from '../../fixtures/service.ts'
import { get, open, PATHS, POLLING, SOCKETS, sendRaw, UPGRADE } from '../../parts/client/raw-http.ts'
import type { TestService } from '../../parts/service/service.ts'

const it = base.extend('serviceOptions', { scope: 'file' }, ({}) => ({}))

const PORTS = [
  ['the API', (service: TestService) => service.url],
  ['the gateway', (service: TestService) => service.service.gatewayUrl],
] as const

describe.each(PORTS)('on the port of %s', (_port, url) => {
  it.for([...PATHS, POLLING])('a foreign page gets nothing of %s, also with the key', async (path, { service }) => {
    const key = { 'X-Session-API-Key': service.key }
    const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }
    for (const foreign of [image, { Origin: 'https://evil.example' }, { Origin: 'null' }, { Host: 'evil.example' }]) {
      const { status, headers } = await get(url(service) + path, { ...key, ...foreign })
      expect(status).toBe(403)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it.for(PATHS)('two names and an absolute address are refused at %s', async (path, { service }) => {
    const host = new URL(url(service)).host
    for (const second of ['evil.example', host]) {
      expect(await sendRaw(url(service), [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Host: ${second}`])).toContain(
        ' 400 ',
      )
    }
    expect(await sendRaw(url(service), [`GET http://evil.example${path} HTTP/1.1`, `Host: ${host}`])).toContain(' 400 ')
    expect(await sendRaw(url(service), [`GET http://${host}${path} HTTP/1.1`, `Host: ${host}`])).toContain(' 400 ')
  })

  it.for(SOCKETS)('no foreign page opens the WebSocket %s (CVE-2025-52882)', async (path, { service }) => {
    const host = `Host: ${new URL(url(service)).host}`
    const opening = [`GET ${path} HTTP/1.1`, ...UPGRADE, `X-Session-API-Key: ${service.key}`]
    for (const origin of ['https://evil.example', 'null', 'file://', 'http://127.0.0.1.evil.example']) {
      expect(await sendRaw(url(service), [...opening, host, `Origin: ${origin}`])).toContain('403 Forbidden')
    }
    expect(await sendRaw(url(service), [...opening, 'Host: evil.example'])).toContain('403 Forbidden')
    expect(await sendRaw(url(service), [...opening, host, 'Host: evil.example'])).toContain('400 Bad Request')
    expect(await sendRaw(url(service), [...opening, host, 'Sec-Fetch-Site: cross-site'])).toContain('403 Forbidden')
    expect(await sendRaw(url(service), [opening[0]?.replace(' /', ' http://x/') ?? '', ...UPGRADE, host])).toContain(
      '400 ',
    )
  })

  it.for(['/docs', '/openapi.json'])(
    '%s comes with its length, and is not sent twice to whoever has it',
    async (path, { service }) => {
      const first = await get(url(service) + path)
      expect(first.status).toBe(200)
      expect(first.headers['content-length']).toBe(String(Buffer.byteLength(first.body)))
      const etag = String(first.headers.etag)
      expect(etag).toMatch(/^"[\w-]{20,}"$/)
      const again = await get(url(service) + path, { 'If-None-Match': etag })
      expect(again).toMatchObject({ status: 304, body: '' })
      expect(await get(url(service) + path, { 'If-None-Match': '"another"' })).toMatchObject({
        status: 200,
        body: first.body,
      })
    },
  )

  it('a person may still come by the address bar, and by a link of a page of this machine', async ({ service }) => {
    const navigation = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    for (const site of ['none', 'same-origin', 'same-site']) {
      expect((await get(`${url(service)}/docs`, { 'Sec-Fetch-Site': site, ...navigation })).status).toBe(200)
    }
  })
})

it('the way back from a sign-in is open to the site of the sign-in', async ({ service }) => {
  const navigation = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
  expect((await get(`${service.url}/api/v1/mcp/oauth/callback?state=x`, navigation)).status).toBe(200)
  expect((await get(`${service.url}/docs`, navigation)).status).toBe(403)
})

const PATIENT = { timeout: 20_000 }
const SOCKETS_OF_PORTS = [
  ['/sockets/updates', (service: TestService) => service.url],
  ['/socket.io/?EIO=4&transport=websocket', (service: TestService) => service.url],
  ['/sockets/bash-events', (service: TestService) => service.service.gatewayUrl],
] as const

function upgradeTo(url: string, path: string): string {
  return `${[`GET ${path} HTTP/1.1`, ...UPGRADE, `Host: ${new URL(url).host}`].join('\r\n')}\r\n\r\n`
}

describe('connections that show no key', () => {
  it.for(PORTS)('do not take the places of those that do, on the port of %s', async ([_port, url], { service }) => {
    const silent: Socket[] = []
    for (let count = 0; count < 400; count++) silent.push(open(url(service)))
    const ended = () => silent.filter(socket => socket.destroyed).length
    await Promise.all(silent.map(socket => (socket.connecting ? once(socket, 'connect') : undefined)))
    await expect.poll(ended, PATIENT).toBeGreaterThanOrEqual(400 - BOUNDS.connectionsWithoutKey.limit)
    expect(silent.slice(-100).some(socket => socket.destroyed)).toBe(false)
    expect((await get(`${url(service)}/docs`, { 'X-Session-API-Key': service.key })).status).toBe(200)
    for (const socket of silent) socket.destroy()
  })

  it.for(SOCKETS_OF_PORTS)(
    'are few at a time as sockets, of those that a flood opens at %s',
    async ([path, url], { service }) => {
      const sockets: Socket[] = []
      for (let count = 0; count < 600; count++) {
        const socket = open(url(service))
        socket.resume()
        socket.write(upgradeTo(url(service), path))
        sockets.push(socket)
      }
      const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded
      await expect
        .poll(() => sockets.filter(isOpen).length, PATIENT)
        .toBeLessThanOrEqual(BOUNDS.connectionsWithoutKey.limit)
      expect((await get(`${url(service)}/docs`, { 'X-Session-API-Key': service.key })).status).toBe(200)
      for (const socket of sockets) socket.destroy()
    },
  )

  it('are closed in time as sockets, of both generations', async ({ service }) => {
    const closed = SOCKETS_OF_PORTS.map(async ([path, url]) => {
      const socket = open(url(service))
      socket.write(upgradeTo(url(service), path))
      socket.resume()
      await once(socket, 'close')
    })
    await Promise.all(closed)
  })
})
