import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TerminalFrame } from '../../server/api/v1/sandbox/terminal-frames.ts'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { KeptOutput } from '../../server/terminal/kept-output.ts'
import { Pace } from '../../server/terminal/pace.ts'
import { Viewers } from '../../server/terminal/viewers.ts'

const WINDOW = BOUNDS.terminalUnread.limit

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function terminal() {
  const output = new KeptOutput(BOUNDS.terminalScreen.limit)
  const viewers = new Viewers({ output, size: () => ({ cols: 80, rows: 24 }) })
  const write = async (bytes: number) => {
    output.append(Buffer.alloc(bytes, 'a\n'))
    viewers.notice()
    await nextTurn()
    await nextTurn()
  }
  return { output, viewers, write }
}

function viewer(viewers: Viewers) {
  const frames: TerminalFrame[] = []
  let bytes = 0
  const handle = viewers.attach({
    tell: frame => frames.push(frame),
    show: shown => {
      bytes += shown.length
    },
  })
  return { frames, bytes: () => bytes, ...handle }
}

test('one who comes gets the screen, then what is new', async () => {
  const { viewers, write } = terminal()
  await write(100)
  const one = viewer(viewers)
  expect(one.frames).toEqual([{ type: 'screen', cols: 80, rows: 24, bytes: 100 }])
  expect(one.bytes()).toBe(100)
  await write(10)
  expect(one.bytes()).toBe(110)
})

test('one who shows nothing is sent no more than may be under way, and begins anew when it was too slow', async () => {
  const { viewers, write } = terminal()
  const slow = viewer(viewers)
  for (let at = 0; at < 20; at++) await write(WINDOW / 4)
  expect(slow.bytes()).toBe(WINDOW)
  slow.acknowledge(WINDOW)
  expect(slow.frames.map(({ type }) => type)).toEqual(['screen', 'screen'])
  expect(slow.bytes()).toBe(2 * WINDOW)
})

test('the program waits for the fastest, and for nobody who has stalled', async () => {
  const { viewers, write } = terminal()
  expect(viewers.heldMs()).toBe(0)
  const slow = viewer(viewers)
  const fast = viewer(viewers)
  await write(WINDOW)
  expect(viewers.heldMs()).toBeGreaterThan(0)
  fast.acknowledge(WINDOW)
  expect(viewers.heldMs()).toBe(0)
  await write(WINDOW)
  fast.detach()
  expect(viewers.heldMs()).toBeGreaterThan(0)
  vi.advanceTimersByTime(6_000)
  expect(viewers.heldMs()).toBe(0)
  slow.detach()
  expect(viewers.heldMs()).toBe(0)
})

test('a pace lets a second of output through at once, then as much as time has passed for', () => {
  let now = 0
  const pace = new Pace(1000, () => now)
  expect(pace.take(1000)).toBe(0)
  expect(pace.take(500)).toBe(500)
  now = 500
  expect(pace.take(0)).toBe(0)
  now = 100_000
  expect(pace.take(1000)).toBe(0)
  expect(pace.take(1)).toBe(1)
})
