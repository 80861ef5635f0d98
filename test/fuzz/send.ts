import { Agent, request } from 'node:http'
import { expectNamed } from '../parts/operation/named-failures.ts'
import type { Findings } from './findings.ts'
import { curlOf, type FuzzRequest } from './requests.ts'

const ANSWER_MS = 20_000
const REPLY_BYTES = 20_000_000
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Those that tell a secret to whom it belongs. */
const TELLS_SECRETS = new Set(['getSandboxSecret'])
/** The limits of a port come before its operations. */
const OF_THE_PORT = new Set([400, 401, 403, 404, 405, 408, 411, 413, 414, 415, 422, 429, 431])

/** Told before anybody looks which operation it is. */
const BEFORE_OPERATIONS = new Set([408, 414, 429, 431])

/** Sends a request and looks at what came. @returns the status; null when nothing came in time or the connection was lost */
export async function sendAndLook(
  base: string,
  sent: FuzzRequest,
  key: string,
  findings: Findings,
): Promise<number | null> {
  const reply = await send(base, sent, key).catch(() => null)
  if (!reply) return null
  const { status, text } = reply
  const { operation, route, method, path } = sent.target
  const line = curlOf(base, sent)
  const isDeclared = String(status) in operation.responses
  if (status >= 500 && !isDeclared)
    findings.add(`${method} ${path} answers ${status}`, `${text.slice(0, 300)}\n  ${line}`)
  if (status < 500 && !isDeclared && !OF_THE_PORT.has(status))
    findings.add(`${method} ${path} answers ${status}, which it does not declare`, `${text.slice(0, 300)}\n  ${line}`)
  if (route && status >= 400 && !BEFORE_OPERATIONS.has(status)) {
    try {
      expectNamed(route, { status, body: JSON.parse(text) })
    } catch (error) {
      findings.add(`${method} ${path} answers ${status} with a failure that it does not name`, `${error}\n  ${line}`)
    }
  }
  if (!TELLS_SECRETS.has(operation.operationId)) findings.lookForSecrets(text, `the reply of ${method} ${path}`, line)
  return status
}

function send(base: string, { target, path, headers, body }: FuzzRequest, key: string) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const options = {
      method: target.method,
      headers: { ...headers, ...length, 'X-Session-API-Key': key },
      agent,
      signal: AbortSignal.timeout(ANSWER_MS),
    }
    const outgoing = request(base + path, options, response => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size < REPLY_BYTES) chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
