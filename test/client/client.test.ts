import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listAppConversations, sendMessage } from '../../server/api/v1/conversation/conversations.ts'
import { createAppConversation } from '../../server/api/v1/conversation/starts.ts'
import { pauseSandbox } from '../../server/api/v1/sandbox/sandboxes.ts'
import { getSettings } from '../../server/api/v1/settings/settings.ts'
import { health, login } from '../../server/api/v1/system/system.ts'
import { ApiError } from '../../server/client/api-error.ts'
import { type Client, createClient } from '../../server/client/client.ts'

interface Received {
  line: string
  headers: IncomingMessage['headers']
  body: string
}

let server: Server
let received: Received[]
let answer: { status: number; text: string }
let client: Client

beforeEach(async () => {
  received = []
  answer = { status: 200, text: '{"success":true}' }
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({
      line: `${request.method} ${request.url}`,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  client = createClient({ url: urlOf(server), key: 'secret-key', validate: true })
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

describe('a request', () => {
  test('fills and escapes path parameters, so that an id cannot leave its place', async () => {
    await client.call(pauseSandbox, { params: { sandbox_id: '../a b?c' } })
    expect(received[0]?.line).toBe('POST /api/v1/sandboxes/..%2Fa%20b%3Fc/pause')
  })

  test('repeats a list in the query and leaves absent values out', async () => {
    answer.text = '[]'
    await client.call(listAppConversations, { query: { ids: ['a', 'b'], page_id: null } })
    expect(received[0]?.line).toBe('GET /api/v1/app-conversations?ids=a&ids=b')
  })

  test('sends the key as a header and never in the address', async () => {
    await client.call(pauseSandbox, { params: { sandbox_id: 'a' } })
    expect(received[0]?.headers['x-session-api-key']).toBe('secret-key')
    expect(received[0]?.line).not.toContain('secret-key')
  })

  test('keeps the key from operations that are open', async () => {
    answer.text = '{"session_api_key":"new"}'
    await client.call(login, { body: { code: 'once' } })
    expect(received[0]?.headers['x-session-api-key']).toBeUndefined()
    expect(received[0]?.body).toBe('{"code":"once"}')
  })

  test('is cancelled by its signal, with the reason of the signal', async () => {
    const abort = new AbortController()
    const call = client.call(health, { signal: abort.signal })
    abort.abort(new Error('left the page'))
    await expect(call).rejects.toThrow('left the page')
  })
})

describe('a refusal', () => {
  test('carries the service’s code and words', async () => {
    answer = { status: 409, text: '{"detail":"It is paused already.","code":"conflict"}' }
    const error = await refused(client.call(pauseSandbox, { params: { sandbox_id: 'a' } }))
    expect(error).toMatchObject({ status: 409, code: 'conflict', message: 'It is paused already.' })
  })

  test('of a body names the fields', async () => {
    answer = {
      status: 422,
      text: '{"detail":[{"loc":["body","max_iterations"],"msg":"Too small","type":"too_small"}]}',
    }
    const error = await refused(client.call(createAppConversation, { body: { max_iterations: 0 } }))
    expect(error.code).toBe('validation')
    expect(error.message).toContain('max_iterations: Too small')
    expect(error.detail).toHaveLength(1)
  })

  test('in the legacy form is understood too', async () => {
    answer = { status: 404, text: '{"error":"Settings not found"}' }
    const error = await refused(client.call(getSettings))
    expect(error).toMatchObject({ status: 404, code: 'not_found', message: 'Settings not found' })
  })

  test('that is no JSON says the status', async () => {
    answer = { status: 502, text: '<html>' }
    const error = await refused(client.call(health))
    expect(error).toMatchObject({ status: 502, code: 'internal' })
  })

  test('to connect is called unreachable', async () => {
    const nobody = createClient({ url: 'http://127.0.0.1:1', key: null })
    expect(await refused(nobody.call(health))).toMatchObject({ status: 0, code: 'unreachable' })
  })
})

test('what was broken off on its way is sent again, and says that it is the same', async () => {
  const keys: (string | undefined)[] = []
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    keys.push(request.headers['idempotency-key']?.toString())
    if (keys.length % 3 !== 0) request.socket.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('"OK"')
  })
  expect(await client.call(health)).toBe('OK')
  expect(keys).toEqual([undefined, undefined, undefined])
  const body = { content: [{ type: 'text' as const, text: 'Once' }] }
  const send = () => client.call(sendMessage, { params: { conversation_id: 'a' }, body }).catch(() => {})
  await send()
  await send()
  const [first, , , second] = keys.slice(3)
  expect(keys.slice(3)).toEqual([first, first, first, second, second, second])
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(second).not.toBe(first)
})

test('a reply that breaks the contract is noticed where replies are validated', async () => {
  answer.text = '{"success":"perhaps"}'
  await expect(client.call(pauseSandbox, { params: { sandbox_id: 'a' } })).rejects.toThrow()
})

async function refused(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`Not refused with an ApiError: ${String(error)}`)
  return error
}

function urlOf(listening: Server): string {
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  return `http://127.0.0.1:${address.port}`
}
