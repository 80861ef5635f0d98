import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { validationErrorBody } from '../../../server/api/contract/errors.ts'
import { ROUTES } from '../../../server/api/contract/routes.ts'
import { it as base } from '../../fixtures/service.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('authorized', { scope: 'file' }, ({ service }) => ({
    'X-Session-API-Key': service.key,
    'Content-Type': 'application/json',
  }))
  /** fetch forbids Host and Origin, which are what these tests are about. */
  .extend(
    'send',
    { scope: 'file' },
    ({ service }) =>
      (
        method: string,
        path: string,
        options: { headers?: Record<string, string>; body?: string } = {},
      ): Promise<Reply> => {
        return new Promise((resolve, reject) => {
          const sent = request(service.url + path, { method, headers: options.headers }, response => {
            const chunks: Buffer[] = []
            response.on('data', chunk => chunks.push(chunk))
            response.on('end', () => {
              const text = Buffer.concat(chunks).toString()
              resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) })
            })
          })
          sent.on('error', reject)
          sent.end(options.body)
        })
      },
  )
  /** As a client does that keeps to the limit: whoever comes too often waits as long as the reply says. */
  .extend('sendInTime', { scope: 'file' }, ({ send }) => async (...request: Parameters<typeof send>) => {
    for (;;) {
      const reply = await send(...request)
      if (reply.status !== 429) return reply
      await delay(Number(reply.headers['retry-after']) * 1000)
    }
  })
  .extend('post', { scope: 'file' }, ({ send, authorized }) => (path: string, body: string) => {
    return send('POST', path, { headers: authorized, body })
  })

interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  json: unknown
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const example = (path: string) => path.replaceAll(/\{\w+\}/g, 'x')
const closed = ROUTES.filter(route => !route.open)

describe('the API without a key (CVE-2026-22812, CVE-2025-49596): the key', () => {
  it.for(closed.map(route => [route.method.toUpperCase(), route.path] as const))(
    'is needed for %s %s',
    async ([method, path], { service, sendInTime }) => {
      for (const headers of [
        {},
        { 'X-Session-API-Key': '' },
        { 'X-Session-API-Key': 'wrong' },
        { Authorization: 'Bearer wrong' },
        { Authorization: `Basic ${Buffer.from(`user:${service.key}`).toString('base64')}` },
        { Authorization: service.key },
        { 'X-Session-API-Key': service.key.toUpperCase() },
        { 'X-Session-API-Key': `${service.key}x` },
        { 'X-Session-API-Key': service.key.slice(0, -1) },
        { 'X-API-Key': service.key },
        { Cookie: `session_api_key=${service.key}` },
        { 'X-Forwarded-For': '127.0.0.1' },
      ]) {
        const reply = await sendInTime(method, example(path), { headers })
        expect(reply.status).toBe(401)
        expect(reply.json).toMatchObject({ detail: 'Unauthorized' })
      }
    },
  )

  it('is accepted in its header and as a bearer token', async ({ send, authorized, service }) => {
    const path = '/api/v1/app-conversations/count'
    expect((await send('GET', path, { headers: authorized })).json).toBe(0)
    expect((await send('GET', path, { headers: { Authorization: `Bearer ${service.key}` } })).json).toBe(0)
  })

  it('is not needed for health checks', async ({ send }) => {
    expect((await send('GET', '/alive')).json).toEqual({ status: 'ok' })
    expect((await send('GET', '/health')).text).toBe('"OK"')
  })

  it('comes from a login link once', async ({ service, send }) => {
    const code = new URL(service.service.loginLink()).hash.replace('#login=', '')
    const login = () =>
      send('POST', '/api/v1/login', { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ code }) })
    const first = await login()
    expect(first.status).toBe(200)
    const { session_api_key } = first.json as { session_api_key: string }
    expect(session_api_key).not.toBe(service.key)
    const reply = await send('GET', '/api/v1/app-conversations/count', {
      headers: { 'X-Session-API-Key': session_api_key },
    })
    expect(reply.status).toBe(200)
    expect((await login()).status).toBe(401)
  })
})

describe('another site', () => {
  it.for(['evil.example', 'evil.example:3737', '127.0.0.1.evil.example', 'localhost.evil.example:80'])(
    'is refused by its host name %s, also with the key (DNS rebinding, CVE-2024-28224, CVE-2025-66414)',
    async (host, { send, authorized }) => {
      const reply = await send('GET', '/api/v1/system', { headers: { ...authorized, Host: host } })
      expect(reply.status).toBe(403)
    },
  )

  it.for(['https://evil.example', 'http://127.0.0.1.evil.example', 'null', 'file://', 'https://localhost'])(
    'is refused by its origin %s',
    async (origin, { send, authorized }) => {
      const reply = await send('GET', '/api/v1/system', { headers: { ...authorized, Origin: origin } })
      expect(reply.status).toBe(403)
      expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  it('on this machine may call with the key', async ({ send, authorized }) => {
    const origin = 'http://localhost:3001'
    const preflight = await send('OPTIONS', '/api/v1/system', { headers: { Origin: origin } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe(origin)
    expect(preflight.headers['access-control-allow-headers']).toContain('X-Session-API-Key')
    const asking = { Origin: origin, 'Access-Control-Request-Headers': 'content-type,x-org-id' }
    const asked = await send('OPTIONS', '/api/v1/system', { headers: asking })
    expect(asked.headers).toMatchObject({
      'access-control-allow-headers': 'content-type,x-org-id',
      'access-control-allow-credentials': 'true',
    })
    expect((await send('GET', '/api/v1/system', { headers: { ...authorized, Origin: origin } })).status).toBe(200)
    expect((await send('GET', '/api/v1/system', { headers: { Origin: origin } })).status).toBe(401)
  })
})

describe('a request that does not fit', () => {
  it.for<[string, object, string[], string]>([
    ['/api/conversations', { git_provider: 'svn' }, ['body', 'git_provider'], 'enum'],
    ['/api/conversations', { unknown_field: 1 }, ['body', 'unknown_field'], 'extra_forbidden'],
    ['/api/conversations', { repository: 5 }, ['body', 'repository'], 'string_type'],
    ['/api/conversations', { image_urls: ['a', 2] }, ['body', 'image_urls', '1'], 'string_type'],
    [
      '/api/conversations',
      { suggested_task: { repo: 'a', title: 'b' } },
      ['body', 'suggested_task', 'issue_number'],
      'missing',
    ],
    ['/api/settings', { max_iterations: 'x' }, ['body', 'max_iterations'], 'int_parsing'],
    ['/api/settings', { max_iterations: 1.5 }, ['body', 'max_iterations'], 'int_from_float'],
    ['/api/settings', { confirmation_mode: 'maybe' }, ['body', 'confirmation_mode'], 'bool_parsing'],
    ['/api/settings', { enable_default_condenser: null }, ['body', 'enable_default_condenser'], 'bool_type'],
    ['/api/settings', { max_budget_per_task: 'dear' }, ['body', 'max_budget_per_task'], 'float_parsing'],
    ['/api/settings', { condenser_max_size: 3 }, ['body', 'condenser_max_size'], 'greater_than_equal'],
    ['/api/settings', { mcp_config: { other: [] } }, ['body', 'mcp_config', 'other'], 'extra_forbidden'],
    [
      '/api/settings',
      { mcp_config: { sse_servers: [{ url: 'ftp://x' }] } },
      ['body', 'mcp_config', 'sse_servers', '0', 'url'],
      'value_error',
    ],
    ['/api/v1/app-conversations', { pr_number: ['x'] }, ['body', 'pr_number', '0'], 'int_parsing'],
    ['/api/v1/app-conversations', { initial_message: { role: 'robot' } }, ['body', 'initial_message', 'role'], 'enum'],
  ])('%s %j is refused at %j as %s', async ([path, body, loc, type], { post }) => {
    const reply = await post(path, JSON.stringify(body))
    expect(reply.status).toBe(422)
    const { detail } = validationErrorBody.parse(reply.json)
    expect(detail[0]).toMatchObject({ loc, type })
    expect(Object.keys(detail[0] ?? {}).sort()).toEqual(['loc', 'msg', 'type'])
  })

  it('never has its input echoed', async ({ post }) => {
    const reply = await post(
      '/api/settings',
      JSON.stringify({ llm_api_key: { nested: 'sk-very-secret' }, language: 7 }),
    )
    expect(reply.status).toBe(422)
    expect(reply.text).not.toContain('sk-very-secret')
  })

  it.for(['{', '{"a":', 'not json', '{"a":1}}'])('is refused as malformed JSON: %s', async (body, { post }) => {
    const reply = await post('/api/settings', body)
    expect(reply.status).toBe(422)
    expect(validationErrorBody.parse(reply.json).detail[0]).toMatchObject({ type: 'json_invalid' })
  })

  it.for(['[]', '"text"', '5', 'null'])('is refused when the body is %s', async (body, { post }) => {
    const reply = await post('/api/settings', body)
    expect(reply.status).toBe(422)
    expect(validationErrorBody.parse(reply.json).detail[0]?.loc).toEqual(['body'])
  })

  it('is refused above 10 MB', async ({ post }) => {
    const reply = await post('/api/settings', JSON.stringify({ language: 'x'.repeat(10 * 1024 * 1024) }))
    expect(reply.status).toBe(413)
  })

  it.for(['limit=0', 'limit=101', 'limit=x', 'limit=1.5'])(
    'is refused for the page bound %s',
    async (query, { send, authorized }) => {
      const reply = await send('GET', `/api/v1/sandboxes/search?${query}`, { headers: authorized })
      expect(reply.status).toBe(422)
      expect(validationErrorBody.parse(reply.json).detail[0]?.loc).toEqual(['query', 'limit'])
    },
  )

  it('is refused without the ids that it needs', async ({ send, authorized }) => {
    const reply = await send('GET', '/api/v1/app-conversations/start-tasks', { headers: authorized })
    expect(validationErrorBody.parse(reply.json).detail[0]).toMatchObject({ loc: ['query', 'ids'], type: 'missing' })
  })
})

describe('values of the lax kind', () => {
  it('are taken as existing clients mean them', async ({ send, authorized }) => {
    const body = {
      max_iterations: '100',
      confirmation_mode: 'yes',
      max_budget_per_task: '3.5',
      enable_default_condenser: 0,
    }
    expect((await send('POST', '/api/settings', { headers: authorized, body: JSON.stringify(body) })).status).toBe(200)
    const reply = await send('GET', '/api/settings', { headers: authorized })
    expect(reply.json).toMatchObject({
      max_iterations: 100,
      confirmation_mode: true,
      max_budget_per_task: 3.5,
      enable_default_condenser: false,
    })
  })

  it('include one id where a list is wanted', async ({ send, authorized }) => {
    const reply = await send('GET', '/api/v1/sandboxes?id=unknown', { headers: authorized })
    expect(reply.json).toEqual([null])
  })
})

describe('paths', () => {
  it.for(['/api/nothing', '/api/v1/nothing', '/api/', '/nothing'])(
    'that are unknown answer 404 as JSON: %s',
    async (path, { send, authorized }) => {
      const reply = await send('GET', path, { headers: authorized })
      expect(reply.status).toBe(404)
      expect(reply.json).toMatchObject({ detail: 'Not Found' })
    },
  )

  it('answer 405 to a method they do not have', async ({ send, authorized }) => {
    const reply = await send('DELETE', '/api/settings', { headers: authorized })
    expect(reply.status).toBe(405)
    expect(reply.headers.allow).toContain('POST')
  })

  it.for(['..', '%2e%2e%2f', 'x'.repeat(5000), '%00', 'ffffffffffffffffffffffffffffffff', '%'])(
    'with the hostile or unknown id %s answer 4xx',
    async (id, { send, authorized }) => {
      const reply = await send('POST', `/api/v1/app-conversations/${id}/run`, { headers: authorized })
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.status).toBeLessThan(500)
      expect(reply.json).toBeDefined()
    },
  )

  it('accept both forms of a conversation id', async ({ send, authorized }) => {
    for (const id of ['0123456789abcdef0123456789abcdef', '01234567-89ab-cdef-0123-456789abcdef']) {
      const reply = await send('GET', `/api/v1/app-conversations?ids=${id}`, { headers: authorized })
      expect(reply.json).toEqual([null])
    }
  })
})

describe('replies', () => {
  it('are not stored by browsers and carry no version of the server', async ({ send, authorized }) => {
    const { headers } = await send('GET', '/api/v1/system', { headers: authorized })
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['x-content-type-options']).toBe('nosniff')
  })
})
