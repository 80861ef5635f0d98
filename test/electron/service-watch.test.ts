import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ASK_EVERY_MS, type Watch, watchForHang } from '../../electron/service/watch.ts'

/** A service as the watch sees it, and what the watch has said. */
class Service {
  isReady = true
  answers = true
  asked = 0
  readonly said: string[] = []
  readonly watch: Watch
  #answer: (() => void)[] = []

  constructor() {
    this.watch = watchForHang({
      isReady: () => this.isReady,
      ask: () => {
        this.asked += 1
        return this.answers ? Promise.resolve() : new Promise<void>(resolve => this.#answer.push(resolve))
      },
      onHang: () => this.said.push('hangs'),
      onEnd: () => this.said.push('goes on'),
    })
  }

  goOn(): void {
    this.answers = true
    for (const answer of this.#answer.splice(0)) answer()
  }
}

const looks = (count: number) => vi.advanceTimersByTimeAsync(count * ASK_EVERY_MS)

let service: Service

beforeEach(() => {
  vi.useFakeTimers()
  service = new Service()
})

afterEach(() => {
  service.watch.close()
  vi.useRealTimers()
})

test('a service that does not answer for 20 seconds hangs, until it answers', async () => {
  await looks(10)
  expect(service.asked).toBe(10)
  service.answers = false
  await looks(4)
  expect(service.said).toEqual([])
  await looks(1)
  expect(service.said).toEqual(['hangs'])
  await looks(30)
  expect(service.asked).toBe(11)
  service.goOn()
  await looks(1)
  expect(service.said).toEqual(['hangs', 'goes on'])
})

test('one that is busy for some seconds again and again does not hang', async () => {
  for (let round = 0; round < 5; round++) {
    service.answers = false
    await looks(4)
    service.goOn()
    await looks(1)
  }
  expect(service.said).toEqual([])
})

test('a person who waits is asked again a minute later', async () => {
  service.answers = false
  await looks(5)
  service.watch.wait()
  await looks(11)
  expect(service.said).toEqual(['hangs'])
  await looks(1)
  expect(service.said).toEqual(['hangs', 'hangs'])
})

test('a computer that slept has not waited meanwhile', async () => {
  service.answers = false
  await looks(4)
  vi.setSystemTime(Date.now() + 3600_000)
  await looks(3)
  expect(service.said).toEqual([])
  await looks(1)
  expect(service.said).toEqual(['hangs'])
})

test('a service that starts, closes or opens its database anew is not asked, and a question about it ends', async () => {
  service.isReady = false
  service.answers = false
  await looks(20)
  expect(service.asked).toBe(0)
  service.isReady = true
  await looks(5)
  service.isReady = false
  await looks(1)
  expect(service.said).toEqual(['hangs', 'goes on'])
})
