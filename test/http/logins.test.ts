import { describe, expect, it } from 'vitest'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { Logins, UNUSED_LIFETIME_MS } from '../../server/http/v1/logins.ts'

function loginsAt() {
  const clock = { now: 1_000_000 }
  const logins = new Logins(() => clock.now)
  let ended = 0
  logins.subscribe(change => {
    if (change === 'ended') ended++
  })
  return { clock, logins, logIn: () => logins.redeem(logins.createCode()), ended: () => ended }
}

describe('the key of a login', () => {
  it('ends after 30 days without use, and each use begins them anew', () => {
    const { clock, logins, logIn, ended } = loginsAt()
    const key = logIn()
    clock.now += UNUSED_LIFETIME_MS
    expect(logins.is(key)).toBe(true)
    clock.now += UNUSED_LIFETIME_MS + 1
    expect(logins.list(key)).toEqual([])
    expect(logins.is(key)).toBe(false)
    expect(ended()).toBe(1)
    expect(logins.is(key)).toBe(false)
  })

  it('of the app’s own window does not end', () => {
    const { clock, logins } = loginsAt()
    const key = logins.createWindowKey()
    clock.now += 10 * UNUSED_LIFETIME_MS
    logins.endOthers(undefined)
    expect(logins.is(key)).toBe(true)
    expect(logins.list(key)).toEqual([])
  })

  it('ends where the API’s key is changed by another, and stays with the browser that changes it', () => {
    const { logins, logIn, ended } = loginsAt()
    const [mine, other] = [logIn(), logIn()]
    logins.endOthers(mine)
    expect([logins.is(mine), logins.is(other)]).toEqual([true, false])
    expect(ended()).toBe(1)
    logins.endOthers(undefined)
    expect(logins.is(mine)).toBe(false)
  })

  it('that was used the longest ago gives way to one too many', () => {
    const { clock, logins, logIn } = loginsAt()
    const keys = Array.from({ length: BOUNDS.loginKeys.limit }, () => {
      clock.now += 1
      return logIn()
    })
    clock.now += 1
    expect(logins.is(keys[0] ?? '')).toBe(true)
    const next = logIn()
    expect(keys.map(key => logins.is(key)).filter(valid => !valid)).toHaveLength(1)
    expect(logins.is(keys[1] ?? '')).toBe(false)
    expect(logins.is(next)).toBe(true)
  })

  it('can be ended by itself', () => {
    const { logins, logIn } = loginsAt()
    const [mine, other] = [logIn(), logIn()]
    const found = logins.list(mine).find(({ is_current }) => !is_current)
    logins.end(found?.id ?? '')
    expect([logins.is(mine), logins.is(other)]).toEqual([true, false])
    expect(() => logins.end(found?.id ?? '')).toThrow('no such login')
  })
})

it('a code is good for ten minutes, once', () => {
  const { clock, logins } = loginsAt()
  const [used, late] = [logins.createCode(), logins.createCode()]
  logins.redeem(used)
  expect(() => logins.redeem(used)).toThrow('was used')
  clock.now += 10 * 60_000 + 1
  expect(() => logins.redeem(late)).toThrow('too old')
})
