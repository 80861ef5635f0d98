import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test as base } from 'vitest'
import { type CallRules, Outbound } from '../../server/outbound/outbound.ts'
import type { Resolve } from '../../server/outbound/public-host.ts'
import { makeAuthority } from '../parts/network/authority.ts'
import { startWebProxy, type WebProxy } from '../parts/network/web-proxy.ts'
import { LIMITS, opened } from './parts.ts'

/** Of servers that a proxy leads to. */
export const PUBLIC = '93.184.216.34'

export const PUBLIC_IPV6 = '2606:2800:220:1::1'

export const test = base
  .extend('authority', { scope: 'file' }, ({}, { onCleanup }) => {
    const authority = makeAuthority(`DNS:model.example,DNS:localhost,IP:127.0.0.1,IP:${PUBLIC},IP:${PUBLIC_IPV6}`)
    onCleanup(authority.remove)
    return authority
  })
  /** What answers with TLS. */
  .extend('server', { scope: 'file' }, async ({ authority }, { onCleanup }) => {
    const calls: string[] = []
    const server = createServer(authority, (request, reply) => {
      calls.push(`${request.headers.host} ${request.headers['x-api-key']}`)
      reply.end('the model')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onCleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    return { port: (server.address() as AddressInfo).port, calls }
  })
  .extend('proxy', async ({ server }, { onCleanup }) => {
    const { port } = server
    const proxy = await startWebProxy({
      'model.example:443': port,
      [`${PUBLIC}:443`]: port,
      [`[${PUBLIC_IPV6}]:443`]: port,
    })
    onCleanup(proxy.close)
    return proxy
  })
  .extend('fetchThrough', ({ authority }) => (proxy: string, rules: Partial<CallRules> = {}, resolve?: Resolve) => {
    const calls = new Outbound({
      allowedHosts: () => [],
      certificates: () => [readFileSync(authority.file('ca.pem'), 'utf8')],
      findProxy: async () => new URL(proxy),
      // A name that has to be looked up here is none that only the proxy knows.
      resolve: resolve ?? (() => Promise.reject(Object.assign(new Error('It is not known.'), { code: 'ENOTFOUND' }))),
    })
    opened.push(calls)
    return calls.fetch({ namedBy: 'person', limits: LIMITS, ...rules })
  })

export const linesOf = ({ calls }: WebProxy) => calls.map(({ line }) => line)
