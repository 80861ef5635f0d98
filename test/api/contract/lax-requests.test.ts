import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  /** As the clients of other languages send it: what is not named is not sent. */
  .extend(
    'send',
    { scope: 'file' },
    ({ service }) =>
      async (method: string, path: string, options: { type?: string; body?: BodyInit; encoding?: string } = {}) => {
        const headers = new Headers({ 'X-Session-API-Key': service.key })
        if (options.type !== undefined) headers.set('Content-Type', options.type)
        if (options.encoding !== undefined) headers.set('Content-Encoding', options.encoding)
        const reply = await fetch(service.url + path, { method, headers, ...(options.body && { body: options.body }) })
        return { status: reply.status, body: await reply.json() }
      },
  )

const SETTINGS = '/api/settings'
const text = '{"language":"en"}'

const refused = (loc: string[], type: string) => ({
  status: 422,
  body: { detail: [expect.objectContaining({ loc, type })] },
})

describe('a body', () => {
  it.for([
    ['no type', undefined],
    ['a type for text', 'text/plain'],
    ['a type for forms', 'application/x-www-form-urlencoded'],
    ['a type in other letters', 'Application/JSON; charset=UTF-8'],
  ])('that is JSON is read with %s', async ([_what, type], { send }) => {
    const body = new TextEncoder().encode(text)
    expect(await send('POST', SETTINGS, { body, ...(type !== undefined && { type }) })).toMatchObject({ status: 200 })
  })

  it.for(['/api/settings', '/api/conversations', '/api/v1/app-conversations'])(
    'that is missing is named as what %s wants',
    async (path, { send }) => {
      expect(await send('POST', path)).toMatchObject(refused(['body'], 'missing'))
      expect(await send('POST', path, { type: 'application/json' })).toMatchObject(refused(['body'], 'missing'))
      expect(await send('POST', path, { type: 'application/json', body: 'null' })).toMatchObject(
        refused(['body'], 'missing'),
      )
    },
  )

  it('that is missing does no harm where none is needed', async ({ send }) => {
    expect(await send('POST', '/api/unset-provider-tokens', { type: 'application/json' })).toMatchObject({
      status: 200,
    })
  })

  it('that is a form is told from JSON with a mistake', async ({ send }) => {
    const form = { type: 'application/x-www-form-urlencoded', body: 'language=en' }
    expect(await send('POST', SETTINGS, form)).toMatchObject(refused(['body'], 'model_attributes_type'))
    const mistake = { type: 'application/json', body: '{"language":' }
    expect(await send('POST', SETTINGS, mistake)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'json_invalid' }] },
    })
  })

  it('may be compressed, and is refused when it only says so', async ({ send }) => {
    const type = 'application/json'
    expect(await send('POST', SETTINGS, { type, body: gzipSync(text), encoding: 'gzip' })).toMatchObject({
      status: 200,
    })
    expect(await send('POST', SETTINGS, { type, body: text, encoding: 'gzip' })).toMatchObject({ status: 400 })
  })

  it('is not given a list for a single text', async ({ send }) => {
    const options = { type: 'application/json', body: '{"image_urls":"data:,"}' }
    expect(await send('POST', '/api/conversations', options)).toMatchObject(
      refused(['body', 'image_urls'], 'list_type'),
    )
  })
})

describe('a query', () => {
  const ID = '0123456789abcdef0123456789abcdef'

  it.for([`ids=${ID}&ids=${ID}`, `ids[]=${ID}&ids[]=${ID}`, `ids%5B%5D=${ID}&ids%5b%5d=${ID}`])(
    'writes a list as %s',
    async (query, { send }) => {
      expect((await send('GET', `/api/v1/app-conversations?${query}`)).body).toEqual([null, null])
    },
  )

  it.for([
    '2020-01-31',
    '2020-01-31T10:00:00',
    '2020-01-31 10:00:00.123456',
    '2020-01-31T10:00',
    '2020-01-31T10:00:00Z',
    '2020-01-31T10:00:00%2B0200',
    '2020-01-31T10:00:00-05:00',
  ])('takes the time %s', async (time, { send }) => {
    const reply = await send('GET', `/api/v1/app-conversations/count?created_at__gte=${time}`)
    expect(reply).toEqual({ status: 200, body: 0 })
  })

  it.for(['yesterday', '2020-13-31', '2020-01-31T25:00', '10:00', ''])(
    'refuses the time %j',
    async (time, { send }) => {
      const path = `/api/v1/app-conversations/count?created_at__gte=${time}`
      expect(await send('GET', path)).toMatchObject(refused(['query', 'created_at__gte'], 'datetime_from_date_parsing'))
    },
  )
})
