import { request } from 'node:http'
import type { Route } from '../../../server/api/contract/route.ts'
import { sandboxKey } from '../../../server/secret/sandbox-key.ts'
import type { PopulatedService } from '../populated/service.ts'
import type { TestService } from '../service/service.ts'
import type { OperationCase } from './case.ts'
import { filled } from './fill.ts'

export interface PortOperation {
  port: 'app' | 'gateway'
  route: Route
}

export interface PreparedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: Buffer | undefined
}

export interface OperationReply {
  status: number
  type: string
  /** The JSON, or the text of what is none. */
  body: unknown
}

/** Makes everything that the request is about; it can be sent later. */
export async function prepareOperation(
  populated: PopulatedService,
  operation: PortOperation,
  given: OperationCase,
  isToSucceed: boolean,
): Promise<PreparedRequest> {
  const resolve = (name: string) => populated.resolve(name, isToSucceed)
  const { port, route } = operation
  const service = given.service ? await populated.other(given.service) : populated.service
  const params = await filled(given.params ?? {}, resolve)
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'x'))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(await filled(given.query ?? {}, resolve))) {
    for (const one of [value].flat()) search.append(name, String(one))
  }
  const base = port === 'app' ? service.url : service.service.gatewayUrl
  const { body, type } = await bodyOf(given, port, resolve)
  // Last: what a thing was made with, such as a token, is not what the request is to meet.
  for (const name of given.needs ?? []) await resolve(name)
  return {
    url: `${base}${path}${search.size > 0 ? `?${search}` : ''}`,
    method: route.method.toUpperCase(),
    headers: {
      'X-Session-API-Key': await keyFor(populated, operation, service, given),
      ...(type && { 'Content-Type': type }),
      ...given.headers,
    },
    body,
  }
}

/** Not by fetch, which sends no body with GET. */
export function sendOperation({ url, method, headers, body }: PreparedRequest): Promise<OperationReply> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'Content-Length': String(body.length) } : {}
    const sent = request(url, { method, headers: { ...headers, ...length } }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const type = response.headers['content-type'] ?? ''
        const isJson = type.includes('json') && text !== ''
        resolve({ status: response.statusCode ?? 0, type, body: isJson ? JSON.parse(text) : text })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export async function callOperation(
  populated: PopulatedService,
  operation: PortOperation,
  given: OperationCase,
  isToSucceed: boolean,
): Promise<OperationReply> {
  const prepared = await prepareOperation(populated, operation, given, isToSucceed)
  return populated.under(given, () => sendOperation(prepared))
}

async function keyFor(
  populated: PopulatedService,
  { port, route }: PortOperation,
  service: TestService,
  given: OperationCase,
): Promise<string> {
  if (given.key === 'broken') return sandboxKey(service.key, await populated.resolve('brokenSandbox', false))
  if (given.key === 'sandbox') return populated.sandboxKey
  if (given.key === 'app' || given.service) return service.key
  return port === 'gateway' || route.key === 'sandbox' ? populated.sandboxKey : service.key
}

async function bodyOf(
  given: OperationCase,
  port: 'app' | 'gateway',
  resolve: (name: string) => Promise<string>,
): Promise<{ body: Buffer | undefined; type: string | undefined }> {
  if (given.raw !== undefined) return { body: Buffer.from(given.raw), type: given.type ?? 'application/json' }
  if (given.files) {
    const form = new FormData()
    for (const [name, content] of Object.entries(given.files)) {
      form.append(port === 'app' ? 'files' : 'file', new Blob([content]), name)
    }
    const encoded = new Response(form)
    return { body: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') ?? '' }
  }
  if (given.body === undefined) return { body: undefined, type: undefined }
  return { body: Buffer.from(JSON.stringify(await filled(given.body, resolve))), type: 'application/json' }
}
