import { expect, vi } from 'vitest'
import { RATE_LIMIT } from '../../../server/api/contract/limits.ts'
import { it as base } from '../../fixtures/service.ts'
import { get, open, PATHS, POLLING, SOCKETS, sendRaw, UPGRADE, untilSeen } from '../../parts/client/raw-http.ts'
import type { TestService } from '../../parts/service/service.ts'

const it = base.extend('serviceOptions', { scope: 'file' }, ({}, { onCleanup }) => {
  // No time passes for the limits, so that what a slow machine takes for a flood does not matter.
  vi.useFakeTimers({ toFake: ['performance'] })
  onCleanup(() => {
    vi.useRealTimers()
  })
  return {}
})

const ports = [
  ['the API', (service: TestService) => service.url],
  ['the gateway', (service: TestService) => service.service.gatewayUrl],
] as const

it.for(ports)(
  'a flood of callers without a key meets one limit before all of %s',
  async ([_port, url], { service }) => {
    const connection = open(url(service))
    const one = `GET /nothing HTTP/1.1\r\nHost: ${new URL(url(service)).host}\r\nX-Session-API-Key: guess\r\n\r\n`
    const limited = untilSeen(connection, '429 Too Many Requests')
    connection.write(one.repeat(RATE_LIMIT.burst + 1))
    await limited
    connection.destroy()
    for (const path of [...PATHS, POLLING]) {
      const { status, headers } = await get(url(service) + path, { 'X-Session-API-Key': `guess at ${path}` })
      expect([path, status, headers['retry-after']]).toEqual([path, 429, '1'])
    }
    const host = `Host: ${new URL(url(service)).host}`
    for (const path of [...SOCKETS, '/nothing', '//']) {
      expect(await sendRaw(url(service), [`GET ${path} HTTP/1.1`, ...UPGRADE, host])).toContain('429 Too Many Requests')
    }
    // A page of another site is refused before it is counted, and whoever has a key has a share of its own.
    expect((await get(`${url(service)}/docs`, { Origin: 'https://evil.example' })).status).toBe(403)
    expect((await get(`${url(service)}/docs`, { 'X-Session-API-Key': service.key })).status).toBe(200)
  },
)
