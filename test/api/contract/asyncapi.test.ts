import { Parser } from '@asyncapi/parser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../parts/service/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})

afterAll(() => service?.close())

const PORTS = [
  [
    'the app',
    () => service.url,
    [
      '/sockets/events/{conversation_id}',
      '/sockets/updates',
      '/sockets/terminals/{terminal_id}',
      '/sockets/agent-shells/{conversation_id}',
      '/socket.io/',
      '/mcp',
    ],
  ],
  [
    'the gateway',
    () => service.service.gatewayUrl,
    ['/sockets/events/{conversation_id}', '/sockets/bash-events', '/sockets/terminals/{terminal_id}', '/mcp'],
  ],
] as const

it.each(PORTS)(
  'the sockets of %s are described at its port, without a complaint of the parser',
  async (_port, url, paths) => {
    const reply = await fetch(`${url()}/asyncapi.json`)
    expect(reply.headers.get('etag')).toMatch(/^"[\w-]{20,}"$/)
    const { document, diagnostics } = await new Parser().parse(await reply.text())
    expect(diagnostics).toEqual([])
    const channels = document?.channels().all() ?? []
    expect(channels.map(channel => channel.address())).toEqual(paths)
    for (const channel of channels) {
      const actions = channel
        .operations()
        .all()
        .map(operation => operation.action())
      expect([channel.address(), actions.sort()]).toEqual([channel.address(), ['receive', 'send']])
    }
    expect(
      document
        ?.servers()
        .all()
        .map(server => server.host()),
    ).toContain(new URL(url()).host)
  },
)
