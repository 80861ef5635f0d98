import { expect, vi } from 'vitest'
import { it as base } from '../../fixtures/base.ts'
import { startParts } from '../parts.ts'

const REFUSED = { code: 'too_many_sandboxes', message: expect.stringContaining('max_running_sandboxes') }

/** Until it was unused for long enough. */
const SOON = { timeout: 20_000, interval: 100 }

/** Minutes of 20 ms: what was not used for 100 ms may be paused for another one. */
const it = base.extend('parts', async ({}, { onCleanup }) => {
  const parts = await startParts({ minuteMs: 20 })
  onCleanup(() => parts.close())
  const label = [`dev.atelier.instance=${parts.instanceId}`, 'dev.atelier.spec']
  const filters = { label, status: ['running'] }
  return {
    ...parts,
    runningNow: async () => (await parts.outside.listContainers({ filters })).length,
    statusOf: async (id: string) => (await parts.sandboxes.get(id)).status,
  }
})

it('many that start or resume at once are never more than may run', async ({ parts }) => {
  const { sandboxes, running } = parts
  running.limit = 2
  const started = await Promise.allSettled(Array.from({ length: 6 }, () => sandboxes.start()))
  const ids = started.flatMap(each => (each.status === 'fulfilled' ? [each.value.id] : []))
  expect(ids).toHaveLength(2)
  for (const each of started) if (each.status === 'rejected') expect(each.reason).toMatchObject(REFUSED)
  const [first = '', second = ''] = ids
  await sandboxes.pause(first)
  const { id: third } = await sandboxes.create()
  await expect(sandboxes.resume(first)).rejects.toMatchObject(REFUSED)
  await sandboxes.waitUntilRunning(third)
  // Fewer may run than do: these go on, and what runs can be resumed, which changes nothing.
  running.limit = 1
  await sandboxes.resume(second)
  expect((await (await sandboxes.open(second)).exec({ argv: ['echo', 'on'] })).stdout).toBe('on\n')
  await expect(sandboxes.start()).rejects.toMatchObject(REFUSED)
  await sandboxes.pause(second)
  await sandboxes.pause(third)
  const resumed = await Promise.allSettled([first, second, third].map(id => sandboxes.resume(id)))
  expect(resumed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await parts.runningNow()).toBe(1)
  running.limit = null
  await Promise.all([first, second, third].map(id => sandboxes.resume(id)))
  expect(await parts.runningNow()).toBe(3)
})

it('what nothing has used for longest gives up its place, what works does not, and each need wakes it', async ({
  parts,
}) => {
  const { sandboxes, running, idle, idlePauses } = parts
  running.limit = 2
  const { id: works } = await sandboxes.start()
  const busy = await sandboxes.open(works)
  await busy.exec({ argv: ['/bin/sh', '-c', '(while :; do :; done) >/dev/null 2>&1 &'], isForeign: true })
  const { id: rests } = await sandboxes.start()
  const terminal = await (await sandboxes.open(rests)).openTerminal({ argv: ['/bin/sh'], cols: 80, rows: 24 })
  let shown = ''
  terminal.onData(chunk => {
    shown += chunk
  })
  // Where nothing is paused for want of use, nothing is for this either.
  await expect(sandboxes.start()).rejects.toMatchObject(REFUSED)
  // Twenty seconds: none is due.
  idle.minutes = 1000
  const { id: third } = await vi.waitFor(() => sandboxes.start(), SOON)
  expect(await Promise.all([works, rests, third].map(parts.statusOf))).toEqual(['RUNNING', 'PAUSED', 'RUNNING'])
  expect(await sandboxes.get(rests)).toMatchObject({ resumes_by_itself: true })
  expect(idlePauses.minutesOf(rests)).toBeGreaterThanOrEqual(5)

  // Somebody uses the third one now: nobody's work is interrupted, and whoever needs another one hears why not.
  const release = sandboxes.hold(third)
  await expect(sandboxes.open(rests)).rejects.toMatchObject(REFUSED)
  await terminal.write('echo typed-$((40+2))\r')
  expect(shown).toContain('2 sandboxes run, and no more may at once.')
  release()
  const awake = await vi.waitFor(() => sandboxes.open(rests), SOON)
  await awake.exec({ argv: ['true'] })
  expect(await Promise.all([works, rests, third].map(parts.statusOf))).toEqual(['RUNNING', 'RUNNING', 'PAUSED'])
  await terminal.write('echo again-$((40+2))\r')
  await expect.poll(() => shown).toContain('again-42')
  // What was typed while it could not go on is not done later.
  expect(shown).not.toContain('typed-42')
  terminal.close()
})

it('those that are prepared take nobody his place', async ({ parts }) => {
  const { sandboxes, running, prepare } = parts
  prepare(1)
  await expect.poll(parts.runningNow, { timeout: 20_000 }).toBe(1)
  running.limit = 1
  await sandboxes.start()
  await expect.poll(parts.runningNow, { timeout: 20_000 }).toBe(1)
  await expect(sandboxes.start()).rejects.toMatchObject(REFUSED)
})
