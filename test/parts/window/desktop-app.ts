import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { _electron, type ElectronApplication, errors, type Page } from 'playwright'
import { type Client, createClient } from '../../../server/client/client.ts'
import { isRunning } from '../../../server/discovery-file.ts'
import { removeSandboxesOf } from '../engine/containers.ts'
import { BESIDE_OTHERS } from '../service/environment.ts'
import { treeOf } from './process-tree.ts'

export interface DesktopApp {
  app: ElectronApplication
  page: Page
  dataDir: string
  /** The service inside it, as another tool on this machine uses it. */
  service: { url: string; key: string; client: Client }
  /** Ends it as a power cut would. Its data folder and its sandboxes stay. */
  kill(): Promise<void>
  /** Does what ends the app, whose answer may never come, and waits for the end: the exit code and the signal. */
  endedBy(act: () => Promise<unknown>): Promise<[code: number | null, signal: NodeJS.Signals | null]>
  /** Ends the app and, unless its data folder was given, removes that and its sandboxes. */
  close(): Promise<void>
}

/** The packaged app: `npm test` says where it is. Chromium's sandbox refuses to run as root. */
export function desktopProgram(): { path: string; args: string[] } {
  const path = process.env.ATELIER_TEST_APP
  if (!path) throw new Error('ATELIER_TEST_APP is not set: run the tests of the window with `npm test`.')
  return { path, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] }
}

/** How long a test waits for what it expects to see. */
const PATIENCE_MS = 90_000
const ATTACH_MS = 30_000

export interface DesktopAppOptions {
  env: NodeJS.ProcessEnv
  /** It stays the caller's. */
  dataDir?: string
  program?: { path: string; args: string[] }
}

/** Starts the packaged app with a data folder of its own and waits until its service answers. */
export async function startDesktopApp(options: DesktopAppOptions): Promise<DesktopApp> {
  const dataDir = options.dataDir ?? newDataDir()
  const { path, args } = options.program ?? desktopProgram()
  const app = await launch({
    executablePath: path,
    args,
    env: desktopEnv(options.env, dataDir),
    colorScheme: null,
    chromiumSandbox: !args.includes('--no-sandbox'),
    timeout: ATTACH_MS,
  })
  const child = app.process()
  const page = await app.firstWindow()
  page.setDefaultTimeout(PATIENCE_MS)
  // Chromium keeps the size of a page, and that of a look at 200 % where the app was killed soon after it. The main process is
  // asked only then: while it starts, its garbage collector may take the promise that the driver waits for.
  const isZoomed = (await page.evaluate(() => window.devicePixelRatio)) !== 1
  if (isZoomed)
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(1))
  const connection = await page.evaluate(() => window.atelier?.connection())
  if (!connection) throw new Error('The window has no bridge.')
  const { url, sessionApiKey: key } = connection
  return {
    app,
    page,
    dataDir,
    service: { url, key, client: createClient({ url, key, validate: true }) },
    kill: async () => {
      const ended = once(child, 'exit')
      const tree = child.pid === undefined ? [] : treeOf(child.pid)
      child.kill('SIGKILL')
      await ended
      // Its other processes end with it, but after it.
      while (tree.some(isRunning)) await delay(5)
    },
    endedBy: async act => {
      const ended = once(child, 'exit') as ReturnType<DesktopApp['endedBy']>
      await unlessClosed(act())
      return await ended
    },
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) await quit(app)
      if (!options.dataDir) await removeDataDir(dataDir)
    },
  }
}

/** What ends the app may be answered only by that end. */
export async function unlessClosed(answer: Promise<unknown>): Promise<void> {
  try {
    await answer
  } catch (error) {
    if (!String(error).includes('has been closed')) throw error
  }
}

/** While an agent works the app asks whether to quit, and nobody is there to answer. */
async function quit(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
  })
  await app.close()
}

/**
 * Playwright learns of the window while that loads its page. When it attaches between the two, it is never told of the
 * page and waits in vain, though the app is well; then the app is ended and started anew.
 */
async function launch(options: Parameters<typeof _electron.launch>[0]): Promise<ElectronApplication> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await _electron.launch(options)
    } catch (error) {
      if (!(error instanceof errors.TimeoutError) || attempt === 3) throw error
    }
  }
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'atelier-app-'))
}

/** With the sandboxes that the app left in the engine. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await removeSandboxesOf(dataDir)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
}

/** The display is the machine's unless a desktop of Wayland is given, every port is free, no sandbox is prepared unasked, and the rest is what the caller gives. */
export function desktopEnv(env: NodeJS.ProcessEnv, dataDir: string): Record<string, string> {
  const { DISPLAY, XAUTHORITY } = env.WAYLAND_DISPLAY ? {} : process.env
  const all = {
    ...env,
    ...BESIDE_OTHERS,
    ATELIER_PREPARED_SANDBOXES: env.ATELIER_PREPARED_SANDBOXES ?? BESIDE_OTHERS.ATELIER_PREPARED_SANDBOXES,
    DISPLAY,
    XAUTHORITY,
    ATELIER_DATA_DIR: dataDir,
  }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
