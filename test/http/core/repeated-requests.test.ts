import { once } from 'node:events'
import { request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import express from 'express'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { createExpress } from '../../../server/http/core/app.ts'
import { answerRepeatedRequests } from '../../../server/http/core/repeated-requests.ts'

let server: Server
let now = 0
let carriedOut: string[] = []
let release: (() => void) | undefined

beforeEach(async () => {
  now = 0
  carriedOut = []
  const app = createExpress()
  app.use((request, response, next) => {
    response.locals.key = request.get('x-session-api-key')
    next()
  })
  app.use(
    express.json(),
    answerRepeatedRequests(() => now),
  )
  app.post('/count', (request, response) => {
    carriedOut.push(request.body.name)
    response.status(201).json({ number: carriedOut.length })
  })
  app.post('/slow', async (_request, response) => {
    carriedOut.push('slow')
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await released
    response.json({ number: carriedOut.length })
  })
  app.post('/given-up', async (_request, response) => {
    carriedOut.push('given up')
    await once(response, 'close')
    response.status(400).json({ detail: 'The connection was closed.' })
  })
  app.post('/failing', (_request, response) => {
    carriedOut.push('failing')
    response.status(503).json({})
  })
  app.post('/large', (_request, response) => {
    carriedOut.push('large')
    response.json('x'.repeat(BOUNDS.repeatedAnswer.limit))
  })
  app.get('/read', (_request, response) => {
    carriedOut.push('read')
    response.json({})
  })
  server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const address = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

async function post(path: string, headers: Record<string, string>, name = 'a') {
  const response = await fetch(address(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name }),
  })
  return { status: response.status, body: await response.json() }
}

/** Sends it, and is gone before an answer comes. */
async function postAndLeave(path: string, key: string) {
  const before = carriedOut.length
  const request = httpRequest(address(path), {
    method: 'POST',
    headers: { 'idempotency-key': key, 'content-type': 'application/json', 'content-length': 12 },
  })
  request.on('error', () => {})
  request.end(JSON.stringify({ name: 'a' }))
  await expect.poll(() => carriedOut.length).toBe(before + 1)
  request.destroy()
  await delay(20)
}

test('a repetition gets the first answer, and is not carried out', async () => {
  const first = await post('/count', { 'idempotency-key': 'k1' })
  expect(first).toEqual({ status: 201, body: { number: 1 } })
  expect(await post('/count', { 'idempotency-key': 'k1' })).toEqual(first)
  expect(carriedOut).toEqual(['a'])
})

test('other keys, other callers and no key at all are requests of their own', async () => {
  await post('/count', { 'idempotency-key': 'k1' })
  await post('/count', { 'idempotency-key': 'k2' })
  await post('/count', { 'idempotency-key': 'k1', 'x-session-api-key': 'b' })
  await post('/count', {})
  await post('/count', {})
  expect(carriedOut).toHaveLength(5)
})

test('a repetition waits for the first one, whose caller has left', async () => {
  await postAndLeave('/slow', 'k1')
  const repeated = post('/slow', { 'idempotency-key': 'k1' })
  await delay(50)
  release?.()
  expect(await repeated).toEqual({ status: 200, body: { number: 1 } })
})

test('what was given up with its connection is carried out anew', async () => {
  await postAndLeave('/given-up', 'k1')
  await postAndLeave('/given-up', 'k1')
  expect(carriedOut).toHaveLength(2)
})

test.each(['/failing', '/large'])('%s is carried out again', async path => {
  await post(path, { 'idempotency-key': 'k1' })
  await post(path, { 'idempotency-key': 'k1' })
  expect(carriedOut).toHaveLength(2)
})

test('a key says nothing about what is read', async () => {
  const headers = { 'idempotency-key': 'k1' }
  await fetch(address('/read'), { headers })
  await fetch(address('/read'), { headers })
  expect(carriedOut).toHaveLength(2)
})

test('a key is forgotten after two minutes', async () => {
  await post('/count', { 'idempotency-key': 'k1' })
  now = 119_999
  await post('/count', { 'idempotency-key': 'k1' })
  expect(carriedOut).toHaveLength(1)
  now = 120_000
  await post('/count', { 'idempotency-key': 'k1' })
  expect(carriedOut).toHaveLength(2)
})

test('no more than a number of answers is kept', async () => {
  for (let at = 0; at <= BOUNDS.repeatedRequests.limit; at++) await post('/count', { 'idempotency-key': `k${at}` })
  await post('/count', { 'idempotency-key': 'k1' })
  expect(carriedOut).toHaveLength(BOUNDS.repeatedRequests.limit + 1)
  await post('/count', { 'idempotency-key': 'k0' })
  expect(carriedOut).toHaveLength(BOUNDS.repeatedRequests.limit + 2)
})

test('a key of another request is refused, and so is one that is none', async () => {
  await post('/count', { 'idempotency-key': 'k1' })
  expect(await post('/count', { 'idempotency-key': 'k1' }, 'longer')).toMatchObject({ status: 422 })
  expect(await post('/slow', { 'idempotency-key': 'k1' })).toMatchObject({ status: 422 })
  expect(await post('/count', { 'idempotency-key': 'k'.repeat(256) })).toMatchObject({ status: 400 })
  expect(await post('/count', { 'idempotency-key': 'a b' })).toMatchObject({ status: 400 })
  expect(carriedOut).toHaveLength(1)
})

test('a key with another content of the same length is refused', async () => {
  expect((await post('/count', { 'idempotency-key': 'k' }, 'a')).status).toBe(201)
  expect((await post('/count', { 'idempotency-key': 'k' }, 'b')).status).toBe(422)
  expect(carriedOut).toEqual(['a'])
})
