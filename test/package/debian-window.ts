import { type Browser, chromium, type Page } from 'playwright'
import { expect } from 'vitest'
import { unlessClosed } from '../parts/window/desktop-app.ts'
import { type Debian, KEY, type Started } from './debian.ts'

/** Of the Debian's own loopback. */
const DEBUG_PORT = 9222
/** The command takes no options of Chromium. */
const PROGRAM = '/opt/Atelier/atelier'

export interface DebianWindow {
  page: Page
  /** Quits as the person does. @returns the exit code, when the app and what it installs have ended */
  quit: () => Promise<number>
  /** Lets go of the window, in whatever state it is. */
  detach: () => Promise<void>
}

/** Starts the app as the person, the installed one where no other is given, and looks at its window. */
export async function openWindow(
  debian: Debian,
  env: Record<string, string> = {},
  program = PROGRAM,
): Promise<DebianWindow> {
  const app = debian.start([program, `--remote-debugging-port=${DEBUG_PORT}`], { SESSION_API_KEY: KEY, ...env })
  const relay = await debian.relay(DEBUG_PORT)
  const answers = async (): Promise<boolean> => {
    const reply = await fetch(`${relay.address}/json/version`).catch(() => null)
    return reply?.ok ?? false
  }
  await expect.poll(answers).toBe(true)
  await expect.poll(() => debian.processes('--type=renderer')).toHaveLength(1)
  const browser: Browser = await chromium.connectOverCDP(relay.address)
  const detach = async (): Promise<void> => {
    await browser.close()
    relay.close()
  }
  const page = browser.contexts()[0]?.pages()[0]
  if (!page) {
    await detach()
    throw new Error(`The app shows no window.\n${app.output()}`)
  }
  const quit = async (): Promise<number> => {
    await unlessClosed(page.evaluate(() => window.atelier?.quit()))
    const code = await app.ended
    await detach()
    return code
  }
  return { page, quit, detach }
}

/** Works with the installed app once its window is there and its service answers, and ends it. */
export async function whileOpen(debian: Debian, app: Started, work: () => Promise<void>): Promise<void> {
  try {
    await expect.poll(async () => (await debian.atelier(['list'])).code).toBe(0)
    await expect.poll(() => debian.processes('--type=renderer')).toHaveLength(1)
    await work()
  } finally {
    const programs = await debian.processes(PROGRAM)
    const main = programs.find(({ command }) => !command.includes('--type='))
    await debian.must(['sh', '-c', 'kill -TERM "$1"', 'sh', main?.status.Pid ?? ''])
    expect(await app.ended).toBe(0)
  }
}

/** That Chromium works in its full sandbox, made of user namespaces. */
export async function expectFullSandbox(debian: Debian): Promise<void> {
  const [page] = await debian.processes('--type=renderer')
  expect(page?.status).toMatchObject({ Seccomp: '2', NoNewPrivs: '1', CapEff: '0000000000000000' })
  expect(page?.status.NSpid?.split(/\s+/).length).toBeGreaterThan(1)
  expect(await debian.processes('no-sandbox')).toEqual([])
  expect(await debian.processes('chrome-sandbox')).toEqual([])
}
