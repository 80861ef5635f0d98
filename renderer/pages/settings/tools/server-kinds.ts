import type { ServerKind } from '../../../state/settings/tool-servers.ts'

export const KIND_TITLES: Readonly<Record<ServerKind, { title: string; short: string; hint: string }>> = {
  stdio: { title: 'Command in the sandbox', short: 'stdio', hint: 'A program that speaks over its input and output.' },
  shttp: { title: 'Streamable HTTP', short: 'HTTP', hint: 'A server at an address.' },
  sse: { title: 'Server-sent events', short: 'SSE', hint: 'A server at an address, in the older protocol.' },
}
