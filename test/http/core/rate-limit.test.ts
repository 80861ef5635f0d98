import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { createGuard } from '../../../server/http/core/guard.ts'
import { RateLimiter } from '../../../server/http/core/rate-limit.ts'
import { RequestGate } from '../../../server/http/core/request-gate.ts'

function limiterAt(perSecond: number, burst: number) {
  const clock = { now: 0 }
  return { clock, limiter: new RateLimiter({ perSecond, burst }, () => clock.now) }
}

describe('a caller', () => {
  it('may come as often as its burst at once, and then as fast as it refills', () => {
    const { clock, limiter } = limiterAt(10, 3)
    expect([1, 2, 3].map(() => limiter.take('a'))).toEqual([0, 0, 0])
    expect(limiter.take('a')).toBeCloseTo(0.1)
    clock.now += 99
    expect(limiter.take('a')).toBeGreaterThan(0)
    clock.now += 1
    expect(limiter.take('a')).toBe(0)
  })

  it('does not save up more than its burst', () => {
    const { clock, limiter } = limiterAt(10, 2)
    limiter.take('a')
    clock.now += 3_600_000
    expect([1, 2, 3].map(() => limiter.take('a') === 0)).toEqual([true, true, false])
  })

  it('is not held up by another', () => {
    const { limiter } = limiterAt(1, 1)
    expect([limiter.take('a'), limiter.take('b')]).toEqual([0, 0])
    expect(limiter.take('a')).toBeGreaterThan(0)
  })

  it('that refused requests keep coming from is not locked out for longer', () => {
    const { clock, limiter } = limiterAt(10, 1)
    limiter.take('a')
    for (let i = 0; i < 50; i += 1) limiter.take('a')
    clock.now += 100
    expect(limiter.take('a')).toBe(0)
  })

  it('who has been gone for long is forgotten', () => {
    const { clock, limiter } = limiterAt(10, 1)
    for (let i = 0; i < 5000; i += 1) {
      limiter.take(`caller ${i}`)
      clock.now += 100
    }
    expect(limiter.callers).toBeLessThanOrEqual(1001)
  })
})

describe('over HTTP', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.close()
  })

  async function serve(burst: number) {
    const { clock, limiter } = limiterAt(1, burst)
    const app = express()
    const guard = createGuard({ allowedOrigins: [], isKey: key => key === 'right' || key === 'other' })
    new RequestGate({ guard, limiter }).standBefore(app)
    app.get('/', (_request, response) => {
      response.json('fine')
    })
    const listening = createServer(app)
    server = listening
    await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
    return { clock, get: (key: string) => fetch(url, { headers: { 'X-Session-API-Key': key } }) }
  }

  it('the refusal says when to come again, and then it goes on', async () => {
    const { clock, get } = await serve(1)
    expect((await get('right')).status).toBe(200)
    const refused = await get('right')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({ message: 'Too many requests', code: 'too_many_requests' })
    clock.now += 1000
    expect((await get('right')).status).toBe(200)
  })

  it('guessed keys share one bucket, which is not that of a right key', async () => {
    const { get } = await serve(2)
    const guesses = [await get('guess-1'), await get('guess-2'), await get('guess-3')]
    expect(guesses.map(reply => reply.status)).toEqual([200, 200, 429])
    expect((await get('right')).status).toBe(200)
    expect((await get('other')).status).toBe(200)
  })
})
