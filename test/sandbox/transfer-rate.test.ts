import { expect, test } from 'vitest'
import { TransferRate } from '../../server/sandbox/transfer-rate.ts'

test('is not known in the first second', () => {
  const rate = new TransferRate()
  expect([0, 400, 999].map(at => rate.after(at * 1000, at))).toEqual([undefined, undefined, undefined])
  expect(rate.after(1_000_000, 1000)).toBe(1_000_000)
})

test('is that of the last five seconds', () => {
  const rate = new TransferRate()
  for (let second = 0; second <= 10; second++) rate.after(second * 8_000_000, second * 1000)
  const slow = Array.from({ length: 6 }, (_, second) => rate.after(80_000_000 + second, 11_000 + second * 1000))
  expect(slow[0]).toBeGreaterThan(5_000_000)
  expect(slow.at(-1)).toBeLessThan(2)
})

test('begins anew with what begins anew', () => {
  const rate = new TransferRate()
  rate.after(0, 0)
  expect(rate.after(5_000_000, 2000)).toBe(2_500_000)
  expect(rate.after(0, 2500)).toBeUndefined()
  expect(rate.after(3_000_000, 4000)).toBe(2_000_000)
})
