import { connect } from 'node:net'
import type { Headless } from '../parts/service/headless.ts'
import { between, pick } from '../parts/value/random.ts'
import type { Findings } from './findings.ts'

const ANSWER_MS = 1500

/** Requests that are none, or more than one, as they go over the wire. KEY and HOST are replaced. */
const PIECES: readonly string[] = [
  'GET /alive HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'GET /alive HTTP/1.0\r\n\r\n',
  'GET /alive\r\n\r\n',
  'GET http://example.org/alive HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'GET //x/../../alive HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'GET /%00%ff%2e%2e/ HTTP/1.1\r\nHost: HOST\r\nX-Session-API-Key: KEY\r\n\r\n',
  'GET /api/settings HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\nX-Session-API-Key: KEY\r\n\r\n',
  'GET /api/settings HTTP/1.1\r\nHost: evil.example\r\nX-Session-API-Key: KEY\r\n\r\n',
  'GET /api/settings HTTP/1.1\r\nHost: HOST\r\nOrigin: http://evil.example\r\nX-Session-API-Key: KEY\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'TRACE / HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'QUERY / HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'POST /api/settings HTTP/1.1\r\nHost: HOST\r\nX-Session-API-Key: KEY\r\nContent-Length: 5\r\n\r\n{}',
  'POST /api/settings HTTP/1.1\r\nHost: HOST\r\nX-Session-API-Key: KEY\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ',
  'POST /api/settings HTTP/1.1\r\nHost: HOST\r\nX-Session-API-Key: KEY\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/settings HTTP/1.1\r\nHost: HOST\r\nX-Session-API-Key: KEY\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  'POST /api/settings HTTP/1.1\r\nHost: HOST\r\nX-Session-API-Key: KEY\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n2;x=y\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
  'POST /api/settings HTTP/1.1\r\nHost: HOST\r\nX-Session-API-Key: KEY\r\nExpect: 100-continue\r\nContent-Length: 999999999999\r\n\r\n',
  'POST /api/settings HTTP/1.1\r\nHost: HOST\r\nX-Session-API-Key: KEY\r\nContent-Encoding: gzip\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n\x1f\x8b\b',
  'GET /sockets/updates HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n',
  'GET /sockets/updates HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Session-API-Key: KEY\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff',
  'GET /alive HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'POST /socket.io/?EIO=4&transport=polling&sid=x HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\n\r\n40',
  `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: HOST\r\n\r\n`,
  `GET /alive HTTP/1.1\r\nHost: HOST\r\n${'X-A: b\r\n'.repeat(3000)}\r\n`,
  `GET /alive HTTP/1.1\r\nHost: HOST\r\nCookie: ${'c'.repeat(12_000)}\r\n\r\n`,
  'POST /mcp HTTP/1.1\r\nHost: HOST\r\nX-Session-API-Key: KEY\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 58\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\0\0\0\0',
]

/** Sends bytes to a port, whole or in pieces, changed or not, and looks at what comes back. */
export async function fuzzRaw(service: Headless, random: () => number, findings: Findings): Promise<void> {
  const target = new URL(random() < 0.6 ? service.url : service.gatewayUrl)
  const count = between(random, 1, 3)
  const text = Array.from({ length: count }, () => pick(random, PIECES)).join('')
  const bytes = changed(
    Buffer.from(text.replaceAll('HOST', target.host).replaceAll('KEY', service.key), 'latin1'),
    random,
  )
  const answer = await exchange(Number(target.port), bytes, random)
  const line = `sent to ${target.host}: ${JSON.stringify(bytes.toString('latin1').replaceAll(service.key, 'KEY')).slice(0, 600)}`
  for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (5\d\d)/gm)) {
    if (status !== '503') findings.add(`Raw bytes are answered with ${status}`, `${line}\n  ${answer.slice(0, 300)}`)
  }
  findings.lookForSecrets(answer, 'the reply to raw bytes', line)
}

function changed(bytes: Buffer, random: () => number): Buffer {
  if (random() < 0.5) return bytes
  for (let count = between(random, 1, 5); count > 0; count--)
    bytes[between(random, 0, bytes.length - 1)] = between(random, 0, 255)
  return random() < 0.2 ? bytes.subarray(0, between(random, 1, bytes.length)) : bytes
}

/** @returns what came until the end of the connection, or within a time */
function exchange(port: number, bytes: Buffer, random: () => number): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(end, ANSWER_MS * random())
    socket.on('data', chunk => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', end)
    socket.on('close', end)
    const half = between(random, 0, bytes.length)
    socket.write(bytes.subarray(0, half))
    setImmediate(() => socket.write(bytes.subarray(half)))
  })
}
