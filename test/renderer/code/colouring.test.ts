import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { colouring } from '../../../renderer/ui/code/colouring.ts'
import type { Asked } from '../../../renderer/ui/code/worker.ts'

/** Answers but for texts that begin with `hang`, and breaks at the text `break`. */
class FakeWorker extends EventTarget {
  static readonly started: FakeWorker[] = []
  readonly asked: string[] = []
  isEnded = false

  constructor() {
    super()
    FakeWorker.started.push(this)
  }

  postMessage({ id, text }: Asked): void {
    this.asked.push(text)
    if (text.startsWith('hang')) return
    if (text === 'break') queueMicrotask(() => this.dispatchEvent(new Event('error')))
    else queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: { id, lines: [[[1, 2]]] } })))
  }

  terminate(): void {
    this.isEnded = true
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('Worker', FakeWorker)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('ends a worker that takes too long or breaks, leaves that text without colours, and goes on with the others', async () => {
  const hanging = colouring.linesOf('hang', 'python')
  const waiting = colouring.linesOf('a', 'python')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await hanging).toBeNull()
  expect(await waiting).toEqual([[[1, 2]]])
  expect(await colouring.linesOf('break', 'python')).toBeNull()
  expect(await colouring.linesOf('b', 'python')).toEqual([[[1, 2]]])
  expect(FakeWorker.started.map(({ isEnded }) => isEnded)).toEqual([true, true, false])
})

it('is not asked about the same text twice, nor about one that is too long', async () => {
  await colouring.linesOf('same', 'python')
  await colouring.linesOf('same', 'python')
  expect(colouring.known('same', 'python')).toEqual([[[1, 2]]])
  expect(colouring.known('other', 'python')).toBeNull()
  const { asked } = FakeWorker.started.at(-1) ?? new FakeWorker()
  expect(asked.filter(text => text === 'same')).toHaveLength(1)
  expect(await colouring.linesOf('x'.repeat(300_000), 'python')).toBeNull()
  expect(asked.every(text => text.length < 300_000)).toBe(true)
})

it('drops texts that nobody waits for, and asks no more of a grammar that hangs again and again', async () => {
  const gone = new AbortController()
  const hanging = colouring.linesOf('hang', 'terraform')
  const dropped = colouring.linesOf('dropped', 'terraform', gone.signal)
  gone.abort()
  expect(await dropped).toBeNull()
  const again = colouring.linesOf('hang', 'terraform')
  expect(again).toBe(hanging)
  await vi.advanceTimersByTimeAsync(5_000)
  const second = colouring.linesOf('hang ', 'terraform')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await hanging).toBeNull()
  void second
  const started = FakeWorker.started.length
  for (let length = 1; length < 300; length++) void colouring.linesOf('hang'.repeat(length + 1), 'terraform')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(FakeWorker.started.length - started).toBeLessThan(3)
  expect(FakeWorker.started.flatMap(({ asked }) => asked)).not.toContain('dropped')
})
