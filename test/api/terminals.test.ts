import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deleteSandbox, pauseSandbox, resumeSandbox } from '../../server/api/v1/sandbox/sandboxes.ts'
import {
  closeTerminal,
  createTerminal,
  listTerminals,
  restartTerminal,
  type TerminalInfo,
  updateTerminal,
} from '../../server/api/v1/sandbox/terminals.ts'
import { Atelier } from '../../server/client/atelier.ts'
import { openWebSocket } from '../../server/client/node/connect.ts'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { type ShownTerminal, showTerminal } from '../parts/client/terminal.ts'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { turnsDuring } from '../parts/loop-turns.ts'
import { type Headless, startHeadless } from '../parts/service/headless.ts'
import { slowness } from '../parts/value/slowness.ts'

const MAX_BLOCK_MS = 100

let service: Headless
let atelier: Atelier
let sandbox: string
let sandboxKey: string
const shown = new Set<ShownTerminal>()

beforeAll(async () => {
  service = await startHeadless({ preload: join(import.meta.dirname, '../parts/service/loop-monitor.mjs') })
  atelier = new Atelier({ url: service.url, key: service.key, connect: openWebSocket })
  const { id, session_api_key } = await (await atelier.startSandbox()).info()
  sandbox = id
  sandboxKey = session_api_key ?? ''
})

afterAll(async () => {
  await service?.end('SIGTERM')
  if (!service) return
  await removeSandboxesOf(service.dataDir)
  rmSync(service.dataDir, { recursive: true, force: true })
})

/** What a test that failed has left must not fail the next. */
afterEach(async () => {
  for (const one of shown) one.close()
  shown.clear()
  const left = await service.client.call(listTerminals, { params: { sandbox_id: sandbox } })
  for (const terminal of left) await close(terminal)
})

const create = (body: object = {}, sandbox_id = sandbox) =>
  service.client.call(createTerminal, { params: { sandbox_id }, body })
const at = ({ id, sandbox_id }: TerminalInfo) => ({ params: { sandbox_id, terminal_id: id } })
const close = (terminal: TerminalInfo, query = {}) => service.client.call(closeTerminal, { ...at(terminal), query })

async function show(terminal: TerminalInfo, { url = service.url, key = service.key, reads = true } = {}) {
  const one = await showTerminal(url, key, terminal.id, { reads })
  shown.add(one)
  return one
}

/** A new terminal, with one who shows it and a prompt. */
async function opened(body: object = {}) {
  const terminal = await create(body)
  const screen = await show(terminal)
  screen.type('bind "set enable-bracketed-paste off"; PS1="> "; echo rea""dy\r')
  await screen.shows('ready\r\n> ')
  return { terminal, screen }
}

describe('a terminal', () => {
  it('is a shell of its size, in its folder, without secrets, and follows a change of size', async () => {
    const { terminal, screen } = await opened({ cwd: '/tmp', cols: 91, rows: 33 })
    screen.type('stty size; pwd; echo "$TERM"; env | grep -c -i token\r')
    await screen.shows('33 91\r\n/tmp\r\nxterm-256color\r\n0\r\n')
    screen.say({ type: 'resize', cols: 120, rows: 40 })
    expect(await screen.until(({ type }) => type === 'size')).toEqual({ type: 'size', cols: 120, rows: 40 })
    screen.type('sleep 0.2; stty size\r')
    await screen.shows('40 120\r\n')
    await close(terminal)
    expect(await screen.closed).toBe(4004)
  })

  it('has a name of its own, which can be changed', async () => {
    const terminals = [await create(), await create(), await create({ name: 'Build' })]
    const names = (await service.client.call(listTerminals, { params: { sandbox_id: sandbox } })).map(
      ({ name }) => name,
    )
    expect(names).toEqual(['Terminal 1', 'Terminal 2', 'Build'])
    const [first] = terminals
    if (!first) throw new Error('There is no terminal.')
    const changed = await service.client.call(updateTerminal, { ...at(first), body: { name: ' Tests ' } })
    expect(changed.name).toBe('Tests')
    const body = { name: 'a\u202eb' }
    await expect(service.client.call(updateTerminal, { ...at(first), body })).rejects.toMatchObject({ status: 422 })
    for (const terminal of terminals) await close(terminal)
  })

  it('shows everyone the same screen, also those who come later', async () => {
    const { terminal, screen } = await opened()
    screen.type('printf "\\033[?1049h\\033[?2004lfull scr""een"\r')
    await screen.shows('full screen')
    const other = await show(terminal)
    await other.shows('full screen')
    expect(other.text()).toContain('\x1b[?1049h')
    other.type('echo from the oth""er\r')
    await screen.shows('from the other\r\n')
    await close(terminal)
  })

  it('hears the answers of the terminal that was used last alone', async () => {
    const { terminal, screen } = await opened()
    const other = await show(terminal)
    other.type(`sh -c 'echo liste""ning; exec cat -v'\r`)
    await other.shows('listening\r\n')
    screen.say({ type: 'answer', text: 'first\n' })
    // Frames are carried out in their order: this one's reply comes after the answer.
    screen.say({ type: 'unknown' } as never)
    await screen.until(({ type }) => type === 'refused')
    other.say({ type: 'answer', text: 'second\n' })
    await other.shows('second\r\nsecond\r\n')
    expect(other.text()).not.toMatch(/first/)
    await close(terminal)
  })

  it('ends with the exit code of its shell, keeps its screen, and begins anew', async () => {
    const { terminal, screen } = await opened()
    screen.type('exit 7\r')
    expect(await screen.until(({ type }) => type === 'ended')).toEqual({ type: 'ended', exit_code: 7 })
    screen.type('x')
    expect(await screen.until(({ type }) => type === 'refused')).toMatchObject({ code: 'conflict' })
    expect(await service.client.call(listTerminals, { params: { sandbox_id: sandbox } })).toMatchObject([
      { id: terminal.id, status: 'ended', exit_code: 7 },
    ])
    expect(await service.client.call(restartTerminal, at(terminal))).toMatchObject({ status: 'running' })
    screen.type('echo aga""in\r')
    await screen.shows(/ready[\s\S]*again\r\n/)
    await close(terminal)
  })

  it('that runs a program is closed only by whoever means it, and nothing of it goes on', async () => {
    const { terminal, screen } = await opened()
    screen.type('sh -c "echo be""gun; exec sleep 3003"\r')
    await screen.shows('begun')
    await expect(close(terminal, { if_idle: true })).rejects.toMatchObject({ code: 'conflict' })
    await close(terminal)
    const { terminal: next, screen: other } = await opened()
    other.type('grep -l "^sleep.3003" /proc/[0-9]*/cmdline | wc -l; echo coun""ted\r')
    await other.shows('0\r\ncounted')
    await close(next, { if_idle: true })
  })

  it('takes a paste of megabytes as fast as it is read', async () => {
    const { terminal, screen } = await opened()
    screen.type('stty raw -echo; echo rea""ding; head -c 3000000 | wc -c; stty sane\r')
    await screen.shows('reading')
    const piece = Buffer.alloc(60_000, 'x')
    let confirmed = 0
    for (let sent = 0; sent < 50; sent++) {
      screen.type(piece)
      if (sent % 4 < 3) continue
      confirmed += 4
      await screen.until(() => screen.frames.filter(({ type }) => type === 'typed').length >= confirmed)
    }
    await screen.shows('3000000\n')
    await close(terminal)
  })

  it('refuses more than may wait, in words', async () => {
    const { terminal, screen } = await opened()
    screen.type('stty raw -echo; echo wait""ing; sleep 1000\r')
    await screen.shows('waiting')
    for (let sent = 0; sent < 8; sent++) screen.type(Buffer.alloc(400_000, 'x'))
    expect(await screen.until(({ type }) => type === 'refused')).toMatchObject({ code: 'too_large' })
    await close(terminal)
  })
})

describe('the socket of a terminal', () => {
  it('is on both ports; a key of a sandbox opens its own terminals alone', async () => {
    const { terminal } = await opened()
    const { id, session_api_key } = await (await atelier.startSandbox()).info()
    const elsewhere = await create({}, id)
    const url = service.gatewayUrl
    const own = await show(terminal, { url, key: sandboxKey })
    own.type('echo over the gate""way\r')
    await own.shows('over the gateway')
    await (await show(elsewhere, { url })).shows(/./)
    expect(await (await show(terminal, { url, key: session_api_key ?? '' })).closed).toBe(4004)
    expect(await (await show(terminal, { key: sandboxKey })).closed).toBe(4001)
    expect(await (await show({ ...terminal, id: 'unknown' })).closed).toBe(4004)
    const screen = await show(elsewhere)
    await service.client.call(deleteSandbox, { params: { sandbox_id: id } })
    expect(await screen.closed).toBe(4004)
    await close(terminal)
  })

  it('answers frames that it does not understand with the reason', async () => {
    const { terminal, screen } = await opened()
    screen.say({ type: 'resize', cols: 1_000_000, rows: -1 })
    expect(await screen.until(({ type }) => type === 'refused')).toMatchObject({ code: 'bad_request' })
    await close(terminal)
  })
})

it('a paused sandbox freezes its terminals, and they go on after it', async () => {
  const { terminal, screen } = await opened()
  const params = { sandbox_id: sandbox }
  await service.client.call(pauseSandbox, { params })
  screen.type('echo aft""erwards\r')
  await expect(create()).rejects.toMatchObject({ code: 'sandbox_not_running' })
  expect(await service.client.call(listTerminals, { params })).toMatchObject([{ status: 'running' }])
  await service.client.call(resumeSandbox, { params })
  await screen.shows('afterwards\r\n')
  await close(terminal)
})

it('no sandbox has more terminals than the bound', async () => {
  const all = await Promise.all(Array.from({ length: BOUNDS.terminals.limit }, () => create()))
  await expect(create()).rejects.toMatchObject({ status: 429 })
  await Promise.all(all.map(terminal => close(terminal)))
})

describe('a program that writes without end', () => {
  it('holds nobody up: neither one who reads, one who never does, nor nobody at all', async () => {
    const { terminal, screen } = await opened()
    const before = memory()
    const turns = await turnsDuring(service, async () => {
      const idle = await show(terminal, { reads: false })
      screen.type('yes\r')
      await screen.reaches(24 * 1024 * 1024)
      expect(idle.received()).toBeLessThanOrEqual(BOUNDS.terminalUnread.limit)
      screen.type('\x03')
      const began = performance.now()
      await screen.shows(/\^C\r\n> $/)
      expect(performance.now() - began).toBeLessThan(10_000)
      screen.type('yes\r')
      await screen.reaches(screen.received() + 1024)
      screen.close()
      // Without a reader, and then with nobody.
      const late = await show(terminal)
      await late.reaches(1024)
      late.type('\x03')
      await late.shows(/\^C\r\n> $/)
    })
    expect(turns.longest[0]).toBeLessThan(MAX_BLOCK_MS * slowness())
    expect(memory() - before).toBeLessThan(96 * 1024)
    await close(terminal)
  })

  it('is read on while nobody shows it', async () => {
    const { terminal, screen } = await opened()
    screen.type('head -c 30000000 /dev/zero | tr "\\0" "\\n"; echo do""ne > /tmp/written\r')
    await screen.reaches(1024 * 1024)
    screen.close()
    const other = await opened()
    other.screen.type('until [ -e /tmp/written ]; do sleep 0.1; done; cat /tmp/written\r')
    await other.screen.shows('done\r\n')
    await close(terminal)
    await close(other.terminal)
  })
})

/** Resident, in KiB. */
function memory(): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
}
