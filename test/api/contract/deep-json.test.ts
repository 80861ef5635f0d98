import { io } from 'socket.io-client'
import { describe, expect } from 'vitest'
import { WebSocket } from 'ws'
import { GATEWAY_ROUTES } from '../../../server/api/agent-server/contract.ts'
import { validationErrorBody } from '../../../server/api/contract/errors.ts'
import { RATE_LIMIT } from '../../../server/api/contract/limits.ts'
import { ROUTES } from '../../../server/api/contract/routes.ts'
import { startReplay } from '../../../server/api/v1/conversation/replays.ts'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { it as base } from '../../fixtures/service.ts'
import type { TestService } from '../../parts/service/service.ts'

const it = base.extend('serviceOptions', { scope: 'file' }, ({}) => ({}))

const LEVELS = 20_000
const lists = '['.repeat(LEVELS) + ']'.repeat(LEVELS)
const objects = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`
const BODIES = {
  'lists in lists': lists,
  'objects in objects': objects,
  'a field of lists in lists': `{"title":"x","value":${lists}}`,
  'lists that never end': '['.repeat(LEVELS),
  'a list of 200,000 values': `[${'1,'.repeat(200_000)}1]`,
  'an object of 200,000 fields': `{${Array.from({ length: 200_001 }, (_, index) => `"k${index}":1`).join()}}`,
}

/** Refused by whoever holds another key first, and else in the shape of every refused body. */
async function expectRefused(reply: Response, what: string): Promise<void> {
  const body = await reply.text()
  expect([401, 422], `${what}: ${reply.status} ${body.slice(0, 200)}`).toContain(reply.status)
  if (reply.status !== 422) return
  const { detail } = validationErrorBody.parse(JSON.parse(body))
  // A recorded conversation may hold more values than anything else.
  if (!what.endsWith(startReplay.path))
    expect(detail).toEqual([{ loc: ['body'], msg: expect.stringContaining('JSON'), type: 'json_invalid' }])
}

const PORTS = [
  ['the API', (service: TestService) => service.url, ROUTES],
  ['the gateway', (service: TestService) => service.service.gatewayUrl, GATEWAY_ROUTES],
] as const

describe.each(PORTS)(
  'JSON nested 20,000 deep, and JSON of too many values, on the port of %s',
  (_port, url, routes) => {
    const written = [...routes].filter(({ method }) => method !== 'get')
    it.for(Object.entries(BODIES))('is refused by every operation: %s', async ([_name, body], { service }) => {
      expect(written.length * Object.keys(BODIES).length).toBeLessThan(RATE_LIMIT.burst)
      for (const { method, path } of written) {
        const reply = await fetch(url(service) + path.replaceAll(/\{\w+\}/g, '0'.repeat(32)), {
          method: method.toUpperCase(),
          headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
          body,
        })
        await expectRefused(reply, `${method} ${path}`)
      }
    })
  },
)

describe('deep JSON', () => {
  it.for(Object.entries(BODIES))('is refused where nobody has a key yet: %s', async ([_name, body], { service }) => {
    for (const type of ['application/json', 'text/plain', 'application/json; charset=utf-8']) {
      const reply = await fetch(`${service.url}/api/v1/login`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      })
      expect(reply.status).toBe(422)
      await expectRefused(reply, 'login')
    }
  })

  it.for(['utf-16le', 'utf-16', 'utf-32', 'utf-7'])(
    'is not let in under the cover of %s',
    async (charset, { service }) => {
      const reply = await fetch(`${service.url}/api/v1/login`, {
        method: 'POST',
        headers: { 'Content-Type': `application/json; charset=${charset}` },
        body: Buffer.from(lists, 'utf16le'),
      })
      expect([415, 422, 400]).toContain(reply.status)
    },
  )

  it('is refused by the tool servers’ address', async ({ service }) => {
    for (const body of Object.values(BODIES)) {
      const reply = await fetch(`${service.service.gatewayUrl}/mcp`, {
        method: 'POST',
        headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
        body,
      })
      expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code: -32700 }, id: null }])
    }
  })

  it('does no harm in a query, where it is a name like any other', async ({ service }) => {
    for (const deep of [`a${'[b]'.repeat(3000)}=1`, `limit${'[]'.repeat(5000)}=1`, 'ids=x&'.repeat(2000)]) {
      for (const [, url] of PORTS) {
        const reply = await fetch(`${url(service)}/api/v1/app-conversations/search?${deep}`, {
          headers: { 'X-Session-API-Key': service.key },
        })
        expect(reply.status).toBeLessThan(500)
      }
    }
  })

  it('does no harm in the fields of a form', async ({ service }) => {
    const form = new FormData()
    form.append('files', new Blob(['x']), 'x.txt')
    for (const [, body] of Object.entries(BODIES)) form.append(`a${'[b]'.repeat(1000)}`, body)
    const path = `/api/conversations/${'0'.repeat(32)}/upload-files`
    const reply = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.key },
      body: form,
    })
    expect(reply.status).toBeLessThan(500)
  })

  it('as the first frame of a socket is no key', async ({ service }) => {
    for (const [url, path] of [
      [service.url, '/sockets/updates'],
      [service.service.gatewayUrl, '/sockets/bash-events'],
    ] as const) {
      for (const frame of [lists, `{"type":"auth","session_api_key":${lists}}`]) {
        const socket = new WebSocket(url.replace('http', 'ws') + path)
        socket.on('open', () => socket.send(frame))
        expect(await new Promise(resolve => socket.on('close', resolve))).toBe(4001)
      }
    }
  })

  it('ends no service through the socket of the legacy generation', async ({ service }) => {
    const socket = io(service.url, {
      transports: ['websocket'],
      reconnection: false,
      query: { session_api_key: 'wrong' },
    })
    const raw = new WebSocket(`${service.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    raw.on('open', () => raw.send(`40${objects}`))
    await new Promise(resolve => raw.on('close', resolve))
    socket.close()
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
  })
})

describe('many wrong values', () => {
  it('are named up to a bound', async ({ service }) => {
    const reply = await fetch(`${service.url}/api/conversations`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ image_urls: Array(BOUNDS.jsonValues.limit - 10).fill(1) }),
    })
    expect(reply.status).toBe(422)
    expect(validationErrorBody.parse(await reply.json()).detail).toHaveLength(BOUNDS.refusedFields.limit)
  })
})

describe('names that objects have anyway', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'then']
  it.for(PORTS)('do no harm in any body, on the port of %s', async ([_port, url, routes], { service }) => {
    const fields = NAMES.map(name => `"${name}":{"polluted":true,"__proto__":{"polluted":true}}`).join()
    for (const { method, path } of routes) {
      if (method === 'get') continue
      for (const body of [
        `{${fields}}`,
        `{"secrets":{${fields}},"mcp_config":{${fields}},"secrets_store":{${fields}}}`,
      ]) {
        const reply = await fetch(url(service) + path.replaceAll(/\{\w+\}/g, '0'.repeat(32)), {
          method: method.toUpperCase(),
          headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
          body,
        })
        const text = await reply.text()
        expect(
          reply.status < 500 || [501, 503].includes(reply.status),
          `${method} ${path} ${reply.status} ${text}`,
        ).toBe(true)
      }
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
