import { Parser } from '@asyncapi/parser'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'
import type { TestService } from '../../parts/service/service.ts'

const it = base.extend('serviceOptions', { scope: 'file' }, ({}) => ({}))

const PORTS = [
  [
    'the app',
    (service: TestService) => service.url,
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
    (service: TestService) => service.service.gatewayUrl,
    ['/sockets/events/{conversation_id}', '/sockets/bash-events', '/sockets/terminals/{terminal_id}', '/mcp'],
  ],
] as const

it.for(PORTS)(
  'the sockets of %s are described at its port, without a complaint of the parser',
  async ([_port, url, paths], { service }) => {
    const reply = await fetch(`${url(service)}/asyncapi.json`)
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
    ).toContain(new URL(url(service)).host)
  },
)
