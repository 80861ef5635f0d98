import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ANSWERING,
  afterPing,
  type Liveness,
  type PingResult,
  pingPauseMs,
  pingTimeoutMs,
} from '../../server/docker/life/liveness.ts'

const after = (...results: PingResult[]): Liveness => results.reduce(afterPing, ANSWERING)

test.each<[PingResult[], Liveness]>([
  [['answered'], { kind: 'answering' }],
  [['missed'], { kind: 'late', missed: 1 }],
  [['missed', 'answered'], { kind: 'answering' }],
  [['missed', 'late'], { kind: 'answering' }],
  [['missed', 'missed'], { kind: 'silent', missed: 2 }],
  [['late', 'late', 'late', 'late'], { kind: 'answering' }],
  [['missed', 'late', 'missed', 'late', 'missed'], { kind: 'late', missed: 1 }],
  [['missed', 'missed', 'answered'], { kind: 'answering' }],
  [['missed', 'missed', 'late'], { kind: 'answering' }],
  [['refused'], { kind: 'gone' }],
  [['missed', 'missed', 'refused'], { kind: 'gone' }],
  [['refused', 'answered'], { kind: 'gone' }],
  [Array<PingResult>(11).fill('missed'), { kind: 'silent', missed: 11 }],
  [Array<PingResult>(12).fill('missed'), { kind: 'gone' }],
])('after pings that were %j the engine is %j', (results, expected) => {
  expect(after(...results)).toEqual(expected)
})

test('each missed ping gives the next one more time', () => {
  const times = [0, 1, 2, 3].map(missed => pingTimeoutMs(after(...Array<PingResult>(missed).fill('missed'))))
  expect(times).toEqual([10_000, 20_000, 30_000, 30_000])
})

test('silence takes at least thirty seconds without a byte, and an end without a refusal five minutes', () => {
  const until = (kind: Liveness['kind']) => {
    let total = 0
    for (let liveness: Liveness = ANSWERING; liveness.kind !== kind; liveness = afterPing(liveness, 'missed')) {
      total += pingTimeoutMs(liveness) + (liveness === ANSWERING ? 0 : pingPauseMs(liveness))
    }
    return total
  }
  expect(until('silent')).toBeGreaterThanOrEqual(30_000)
  expect(until('gone')).toBeGreaterThanOrEqual(300_000)
})

test('an engine that delivers anything is never silent, however late its pings', () => {
  const results = fc.array(fc.constantFrom<PingResult>('answered', 'late'))
  const ending = fc.constantFrom<PingResult>('answered', 'late', 'missed')
  fc.assert(
    fc.property(results, ending, (before, last) => {
      expect(['answering', 'late']).toContain(after(...before, last).kind)
    }),
  )
})
