import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Headless } from '../parts/service/headless.ts'
import { between, pick } from '../parts/value/random.ts'
import type { Findings } from './findings.ts'
import type { Known } from './requests.ts'

const INTERNAL_ERROR = 1011
const LISTEN_MS = 150

/** What clients of each generation say first, so that what follows is taken for more of it. */
const FRAMES: readonly (string | Buffer)[] = [
  '{"role":"user","content":[{"type":"text","text":"Finish"}],"run":false}',
  '{"role":"user","content":[]}',
  '{"role":"system","content":[{"type":"text","text":"x"}]}',
  '{"type":"auth"}',
  '{"type":"auth","session_api_key":["x"]}',
  '{"type":"ping"}',
  'null',
  '[]',
  '"text"',
  '{',
  '',
  '40',
  '40{"token":1}',
  '42["oh_user_action",{"action":"message","args":{"content":"Finish"}}]',
  '42["oh_user_action",null]',
  '42["oh_action",{"action":"change_agent_state","args":{"agent_state":"paused"}}]',
  '42["__proto__"]',
  '451-["x",{"_placeholder":true,"num":0}]',
  '459999999999-["x"]',
  '2probe',
  '5',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `42["oh_user_action",${'['.repeat(20_000)}${']'.repeat(20_000)}]`,
  'x'.repeat(1_000_000),
  Buffer.alloc(10_000, 0xff),
  Buffer.from([0xc3, 0x28, 0x00]),
]

const QUERIES = [
  '',
  '?after_seq=-1',
  '?after_seq=99999999999',
  '?after_seq=x',
  '?after_seq=0&after_seq=1',
  '?resend_mode=all',
  '?resend_all=true',
  '?resend_mode=%00',
  '?after_timestamp=nonsense',
  `?${'x=1&'.repeat(2000)}`,
]

/** Opens one socket, says a few things that a client may or may not say, and listens to what comes. */
export async function fuzzSocket(
  service: Headless,
  random: () => number,
  known: Known,
  findings: Findings,
): Promise<void> {
  const address = pick(random, addresses(service, known)) + pick(random, QUERIES)
  const hasKey = random() < 0.85
  const socket = new WebSocket(address, {
    headers: hasKey ? { 'X-Session-API-Key': random() < 0.5 ? service.key : (known.sandboxKey ?? '') } : {},
    handshakeTimeout: 10_000,
  })
  const frames: string[] = []
  const said: string[] = []
  socket.on('message', data => {
    const text = String(data)
    frames.push(text)
    findings.lookForSecrets(text, `a frame of ${pathOf(address)}`, said.join('\n  '))
  })
  const closed = new Promise<number>(resolve => {
    socket.on('error', () => {})
    socket.on('unexpected-response', (_request, response) => {
      if ((response.statusCode ?? 0) >= 500 && response.statusCode !== 503)
        findings.add(`${pathOf(address)} answers an upgrade with ${response.statusCode}`, address.slice(0, 300))
      socket.terminate()
    })
    socket.on('close', resolve)
  })
  await Promise.race([closed, new Promise(resolve => socket.once('open', resolve))])
  for (let count = between(random, 1, 6); count > 0 && socket.readyState === WebSocket.OPEN; count--) {
    const frame = mutatedFrame(pick(random, FRAMES), random)
    said.push(String(frame).slice(0, 300))
    socket.send(frame, { binary: Buffer.isBuffer(frame) && random() < 0.8, compress: random() < 0.3 })
  }
  if (random() < 0.2 && socket.readyState === WebSocket.OPEN) socket.ping('x'.repeat(100))
  const code = await Promise.race([closed, delay(LISTEN_MS)])
  if (code === INTERNAL_ERROR)
    findings.add(
      `${pathOf(address)} was closed with an internal error`,
      `${address.slice(0, 300)}\n  ${said.join('\n  ')}`,
    )
  if (random() < 0.5) socket.terminate()
  else socket.close()
}

function addresses({ url, gatewayUrl }: Headless, known: Known): string[] {
  const [app, gateway] = [url, gatewayUrl].map(one => one.replace('http', 'ws'))
  return [
    `${app}/sockets/events/${known.conversation}`,
    `${app}/sockets/events/${'f'.repeat(32)}`,
    `${app}/sockets/events/%00`,
    `${app}/sockets/updates`,
    `${app}/socket.io/?EIO=4&transport=websocket&conversation_id=${known.conversation}&latest_event_id=-1&session_api_key=${known.key}`,
    `${app}/socket.io/?EIO=4&transport=websocket&conversation_id=x&session_api_key=${known.key}`,
    `${app}/socket.io/?EIO=3&transport=websocket`,
    `${gateway}/sockets/events/${known.conversation}`,
    `${gateway}/sockets/bash-events`,
    `${gateway}/sockets/nothing`,
  ]
}

function pathOf(address: string): string {
  return new URL(address).pathname.replace(/[0-9a-f]{32}/, '{conversation_id}')
}

/** As it is, or with a few bytes changed. */
function mutatedFrame(frame: string | Buffer, random: () => number): string | Buffer {
  if (random() < 0.6 || frame.length === 0) return frame
  const bytes = Buffer.from(frame)
  for (let count = between(random, 1, 4); count > 0; count--)
    bytes[between(random, 0, bytes.length - 1)] = between(random, 0, 255)
  return typeof frame === 'string' ? bytes.toString() : bytes
}
