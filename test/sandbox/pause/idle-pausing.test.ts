import { text } from 'node:stream/consumers'
import { expect, vi } from 'vitest'
import { Browsers } from '../../../server/browser/browsers.ts'
import type { ConversationId } from '../../../server/domain/ids.ts'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import { Previews } from '../../../server/preview/previews.ts'
import { it as base } from '../../fixtures/base.ts'
import { type Parts, startParts, until } from '../parts.ts'
import { startAway } from '../prepared/parts.ts'

const MINUTES = 10

const it = base
  .extend('parts', { scope: 'file' }, async ({}, { onCleanup }) => {
    const parts = await startParts({ minuteMs: 20 })
    parts.idle.minutes = MINUTES
    onCleanup(() => parts.close())
    return parts
  })
  .extend('id', { scope: 'file' }, async ({ parts }) => (await parts.sandboxes.start()).id)

const paused = {
  status: 'PAUSED',
  resumes_by_itself: true,
  status_detail: `Paused after ${MINUTES} minutes without use.`,
}
const running = { status: 'RUNNING', resumes_by_itself: false, status_detail: null }

function untilPaused({ bus, sandboxes }: Parts, id: string) {
  return until(bus, async () => {
    const info = await sandboxes.get(id)
    return info.status === 'PAUSED' ? info : undefined
  })
}

/** A program in the background, as an agent starts one. */
async function begin(sandbox: SandboxHandle, script: string): Promise<void> {
  await sandbox.exec({ argv: ['/bin/sh', '-c', `(${script}) >/dev/null 2>&1 &`], isForeign: true })
}

/** Resolves when a program is in the foreground. */
async function openBusyTerminal(sandbox: SandboxHandle) {
  const terminal = await sandbox.openTerminal({ argv: ['/bin/bash', '-i'], cols: 80, rows: 24 })
  const heard = new Promise(resolve => terminal.onData(chunk => chunk.includes('begins-42') && resolve(true)))
  await terminal.write('echo begins-$((40+2)); sleep 1000\r')
  await heard
  return terminal
}

/** A shell that waits for a command, with a program in its background. */
async function openTerminalWithJob(sandbox: SandboxHandle) {
  const terminal = await sandbox.openTerminal({ argv: ['/bin/bash', '-i'], cols: 80, rows: 24 })
  const pid = new Promise<string>(resolve => {
    let heard = ''
    terminal.onData(chunk => {
      heard += chunk
      const [, found] = /job-(\d+)-/.exec(heard) ?? []
      if (found) resolve(found)
    })
  })
  await terminal.write('sleep 1000 & echo "job-$!-"\r')
  return { terminal, pid: await pid }
}

it('what nothing uses is paused, and whatever needs it resumes it', async ({ parts, id }) => {
  const { sandboxes } = parts
  const sandbox = await sandboxes.open(id)
  const terminal = await sandbox.openTerminal({ argv: ['/bin/sh'], cols: 80, rows: 24 })
  const heard = new Promise(resolve => terminal.onData(chunk => chunk.includes('awake-42') && resolve(true)))
  expect(await untilPaused(parts, id)).toMatchObject(paused)
  // The calls of a handle from before, and those of a new one.
  expect((await sandbox.exec({ argv: ['echo', 'there'] })).stdout).toBe('there\n')
  expect(await sandboxes.get(id)).toMatchObject(running)
  await untilPaused(parts, id)
  await terminal.write('echo awake-$((40+2))\r')
  expect(await heard).toBe(true)
  terminal.close()
})

it('who asks again and again what listens keeps it neither awake nor wakes it, unless that is asked for', async ({
  parts,
}) => {
  const { bus, sandboxes } = parts
  parts.idle.minutes = null
  const { id } = await sandboxes.start()
  await begin(await sandboxes.open(id), 'exec python3 -m http.server 3000')
  const previews = new Previews({
    bus,
    sandboxes,
    key: () => 'key',
    serve: () => Promise.reject(new Error('Nobody asks for an address.')),
  })
  const ports = (wake = false) => previews.ports(id, { wake, signal: AbortSignal.timeout(20_000) })
  const listening = [{ port: 3000, program: 'python3' }]
  await expect.poll(() => ports()).toEqual(listening)
  // Four seconds, in which a use every three, as often as the window asks, would keep it awake.
  parts.idle.minutes = 200
  const statusAfterAsking = async () => {
    await ports()
    return (await sandboxes.get(id)).status
  }
  await expect.poll(statusAfterAsking, { interval: 3_000, timeout: 60_000 }).toBe('PAUSED')
  parts.idle.minutes = MINUTES
  expect(await ports()).toEqual(listening)
  expect(await sandboxes.get(id)).toMatchObject({ status: 'PAUSED', resumes_by_itself: true })
  expect(await ports(true)).toEqual(listening)
  await untilPaused(parts, id)
  const another = new Previews({
    bus,
    sandboxes,
    key: () => 'key',
    serve: () => Promise.reject(new Error('Not here.')),
  })
  await expect(another.ports(id, { wake: false, signal: AbortSignal.timeout(20_000) })).rejects.toMatchObject({
    code: 'sandbox_not_running',
  })
  // Nor does whoever looks whether it has a browser.
  const browsers = new Browsers({ bus, sandboxes, mask: text => text })
  const place = { id: 'conversation' as ConversationId, sandbox_id: id, working_dir: '/workspace' }
  expect(await browsers.state(place, AbortSignal.timeout(20_000))).toEqual({ state: 'unknown' })
  expect(await sandboxes.get(id)).toMatchObject(paused)
})

it('many who need it at the same time resume it once', async ({ parts, id }) => {
  const { sandboxes } = parts
  await untilPaused(parts, id)
  const many = Array.from({ length: 10 }, async () => (await sandboxes.open(id)).exec({ argv: ['true'] }))
  expect((await Promise.all(many)).every(({ exitCode }) => exitCode === 0)).toBe(true)
})

it('one that a person paused stays so, also when it was paused here before', async ({ parts, id }) => {
  const { sandboxes } = parts
  await untilPaused(parts, id)
  await sandboxes.pause(id)
  expect(await sandboxes.get(id)).toMatchObject({ status: 'PAUSED', resumes_by_itself: false, status_detail: null })
  await expect(sandboxes.open(id)).rejects.toMatchObject({ code: 'sandbox_not_running' })
  await sandboxes.resume(id)
  expect(await sandboxes.get(id)).toMatchObject(running)
})

it('a use that begins while it is being paused resumes it', async ({ parts, id }) => {
  const { sandboxes, idlePauses } = parts
  const sandbox = await sandboxes.open(id)
  // Recorded before it is done.
  const untilBeingPaused = () =>
    expect.poll(() => idlePauses.minutesOf(id), { interval: 0, timeout: 10_000 }).toBe(MINUTES)
  await untilBeingPaused()
  expect((await sandbox.exec({ argv: ['echo', 'up'] })).stdout).toBe('up\n')
  expect(await sandboxes.get(id)).toMatchObject(running)
  // A person's resume too.
  await untilBeingPaused()
  await sandboxes.resume(id)
  expect(await sandboxes.get(id)).toMatchObject(running)
})

it('a process whose output somebody waits for is not frozen in the middle', async ({ parts, id }) => {
  const sandbox = await parts.sandboxes.open(id)
  const pack = await sandbox.openPiped({ argv: ['/bin/sh', '-c', 'sleep 2; echo packed'] })
  expect(await text(pack.stdout)).toBe('packed\n')
  expect(await pack.ended).toBe(0)
  // As by a push: not before nobody waits any more.
  expect(await untilPaused(parts, id)).toMatchObject(paused)
})

it('what runs in a terminal that is closed meanwhile ends', async ({ parts, id }) => {
  const sandbox = await parts.sandboxes.open(id)
  const { terminal, pid } = await openTerminalWithJob(sandbox)
  await untilPaused(parts, id)
  terminal.close()
  await terminal.ended
  const { stdout } = await sandbox.exec({ argv: ['/bin/sh', '-c', `[ -d /proc/${pid} ] && echo there || echo gone`] })
  expect(stdout).toBe('gone\n')
})

it('time in which the machine slept does not count', async ({ parts, id }) => {
  const { sandboxes, idle } = parts
  // Two seconds.
  idle.minutes = 100
  await (await sandboxes.open(id)).exec({ argv: ['true'] })
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 3_600_000)
  const awake = real()
  await untilPaused(parts, id)
  expect(real() - awake).toBeGreaterThan(1900)
  vi.restoreAllMocks()
  idle.minutes = MINUTES
})

it('an engine that goes away in the middle leaves one that is resumed, whether it was paused or not', async () => {
  const { proxy, parts: away } = await startAway({ minuteMs: 20 })
  const { sandboxes, idle, idlePauses, outside, bus } = away
  const { id } = await sandboxes.start()
  for (const isPaused of [false, true]) {
    proxy.lateness = path => (path.endsWith('/pause') ? 60_000 : 0)
    idle.minutes = MINUTES
    await expect.poll(() => idlePauses.minutesOf(id), { interval: 0 }).toBe(MINUTES)
    if (isPaused) await outside.getContainer(id).pause()
    await proxy.down()
    await until(bus, async () => ((await sandboxes.get(id)).unreachable ? true : undefined))
    idle.minutes = null
    proxy.lateness = () => 0
    await proxy.up()
    const info = await until(bus, async () => {
      const found = await sandboxes.get(id)
      return found.unreachable ? undefined : found
    })
    expect(info).toMatchObject(isPaused ? paused : { status: 'RUNNING', resumes_by_itself: false })
    expect((await (await sandboxes.open(id)).exec({ argv: ['echo', 'there'] })).stdout).toBe('there\n')
    expect(await sandboxes.get(id)).toMatchObject(running)
    await expect.poll(() => idlePauses.minutesOf(id)).toBeUndefined()
  }
  await away.close()
  await proxy.down()
})

it('one that somebody else resumes and pauses is theirs', async ({ parts, id }) => {
  const { sandboxes, bus, outside, idlePauses } = parts
  const container = outside.getContainer(id)
  await untilPaused(parts, id)
  parts.idle.minutes = null
  await container.unpause()
  await until(bus, async () => (idlePauses.minutesOf(id) === undefined ? true : undefined))
  await container.pause()
  expect(await untilPaused(parts, id)).toMatchObject({ resumes_by_itself: false })
  await expect(sandboxes.open(id)).rejects.toMatchObject({ code: 'sandbox_not_running' })
  parts.idle.minutes = MINUTES
})

it('what works, is held, shown or reached from this machine is not paused', async ({ parts }) => {
  const { sandboxes } = parts
  parts.idle.minutes = null
  const ids = (await Promise.all(Array.from({ length: 5 }, () => sandboxes.start()))).map(({ id }) => id)
  const [held = '', works = '', published = '', foreground = '', served = ''] = ids
  const statuses = async () => (await Promise.all(ids.map(id => sandboxes.get(id)))).map(({ status }) => status)
  const release = sandboxes.hold(held)
  await begin(await sandboxes.open(works), 'while :; do :; done')
  await begin(await sandboxes.open(published), 'exec python3 -m http.server "$WORKER_1"')
  const terminal = await openBusyTerminal(await sandboxes.open(foreground))
  // Reached through Atelier alone, which resumes it.
  await begin(await sandboxes.open(served), 'exec python3 -m http.server 3000')
  parts.idle.minutes = MINUTES
  await untilPaused(parts, served)
  expect(await statuses()).toEqual(['RUNNING', 'RUNNING', 'RUNNING', 'RUNNING', 'PAUSED'])
  const sandbox = await sandboxes.open(served)
  const connection = await sandbox.connect({ host: '127.0.0.1', port: 3000 }, AbortSignal.timeout(20_000))
  release()
  await untilPaused(parts, held)
  expect(await statuses()).toEqual(['PAUSED', 'RUNNING', 'RUNNING', 'RUNNING', 'RUNNING'])
  connection.destroy()
  terminal.close()
  await Promise.all([untilPaused(parts, served), untilPaused(parts, foreground)])
})

it('what runs in a terminal ends with the service, and the sandbox stays paused', async ({ parts }) => {
  const { sandboxes, outside } = parts
  const { id } = await sandboxes.start()
  const { terminal } = await openTerminalWithJob(await sandboxes.open(id))
  await untilPaused(parts, id)
  await sandboxes.idle.close()
  terminal.close()
  await terminal.ended
  const container = outside.getContainer(id)
  await expect.poll(async () => (await container.inspect()).State.Paused).toBe(true)
  expect(JSON.stringify(await container.top())).not.toContain('sleep 1000')
})
