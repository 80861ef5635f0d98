import type { Headless } from '../parts/service/headless.ts'
import { pick } from '../parts/value/random.ts'
import type { Findings } from './findings.ts'
import type { Known } from './requests.ts'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
}
const BODIES: readonly unknown[] = [
  INITIALIZE,
  { ...INITIALIZE, params: null },
  { ...INITIALIZE, params: { protocolVersion: 9 } },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'nothing', arguments: {} } },
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: ['x'], arguments: 'x' } },
  { jsonrpc: '2.0', id: { a: 1 }, method: 'tools/list' },
  { jsonrpc: '1.0', id: 1, method: 'x' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 4, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
  { jsonrpc: '2.0', id: 5, method: '__proto__' },
  [INITIALIZE, INITIALIZE],
  [],
  null,
  'text',
  7,
  Array.from({ length: 2000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
]
const ACCEPTS = ['application/json, text/event-stream', 'text/event-stream', 'application/json', '*/*', 'x']
const VERSIONS = ['2025-06-18', '2024-11-05', '0', '']

/** One request to the tool server of the gateway. */
export async function fuzzToolServer(
  service: Headless,
  random: () => number,
  known: Known,
  findings: Findings,
): Promise<void> {
  const body = JSON.stringify(pick(random, BODIES))
  const method = pick(random, ['POST', 'POST', 'POST', 'POST', 'DELETE', 'PUT'])
  const headers = {
    'X-Session-API-Key': (random() < 0.9 ? known.sandboxKey : 'wrong') ?? '',
    'Content-Type': random() < 0.9 ? 'application/json' : 'text/plain',
    Accept: pick(random, ACCEPTS),
    'Mcp-Protocol-Version': pick(random, VERSIONS),
    ...(random() < 0.3 && { 'Mcp-Session-Id': pick(random, ['x', '0'.repeat(36), '../..']) }),
  }
  const reply = await fetch(`${service.gatewayUrl}/mcp`, {
    method,
    headers,
    body,
    signal: AbortSignal.timeout(20_000),
  }).catch(() => null)
  if (!reply) return
  const text = await reply.text().catch(() => '')
  const line = `${method} /mcp ${JSON.stringify(headers)} ${body.slice(0, 300)}`
  if (reply.status >= 500 && reply.status !== 503)
    findings.add(`/mcp answers ${reply.status}`, `${text.slice(0, 300)}\n  ${line}`)
  findings.lookForSecrets(text, 'a reply of /mcp', line)
}
