import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { RATE_LIMIT } from '../../../server/api/contract/limits.ts'
import { get, open, PATHS, POLLING, SOCKETS, sendRaw, UPGRADE, untilSeen } from '../../parts/client/raw-http.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

let flooded: TestService
beforeAll(async () => {
  // No time passes for the limits, so that what a slow machine takes for a flood does not matter.
  vi.useFakeTimers({ toFake: ['performance'] })
  flooded = await startTestService()
})
afterAll(async () => {
  await flooded?.close()
  vi.useRealTimers()
})

const ports = [
  ['the API', () => flooded.url],
  ['the gateway', () => flooded.service.gatewayUrl],
] as const

it.each(ports)('a flood of callers without a key meets one limit before all of %s', async (_port, url) => {
  const connection = open(url())
  const one = `GET /nothing HTTP/1.1\r\nHost: ${new URL(url()).host}\r\nX-Session-API-Key: guess\r\n\r\n`
  const limited = untilSeen(connection, '429 Too Many Requests')
  connection.write(one.repeat(RATE_LIMIT.burst + 1))
  await limited
  connection.destroy()
  for (const path of [...PATHS, POLLING]) {
    const { status, headers } = await get(url() + path, { 'X-Session-API-Key': `guess at ${path}` })
    expect([path, status, headers['retry-after']]).toEqual([path, 429, '1'])
  }
  const host = `Host: ${new URL(url()).host}`
  for (const path of [...SOCKETS, '/nothing', '//']) {
    expect(await sendRaw(url(), [`GET ${path} HTTP/1.1`, ...UPGRADE, host])).toContain('429 Too Many Requests')
  }
  // A page of another site is refused before it is counted, and whoever has a key has a share of its own.
  expect((await get(`${url()}/docs`, { Origin: 'https://evil.example' })).status).toBe(403)
  expect((await get(`${url()}/docs`, { 'X-Session-API-Key': flooded.key })).status).toBe(200)
})
