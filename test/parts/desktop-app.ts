import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright'

export interface DesktopApp {
  app: ElectronApplication
  page: Page
  dataDir: string
  /** Ends the app and, unless it was given, removes its data folder. */
  close(): Promise<void>
}

/** The packaged app: `npm test` says where it is. Chromium's sandbox refuses to run as root. */
export function desktopProgram(): { path: string; args: string[] } {
  const path = process.env.ATELIER_TEST_APP
  if (!path) throw new Error('ATELIER_TEST_APP is not set: run the tests of the window with `npm test`.')
  return { path, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] }
}

/** Starts the packaged app with a data folder of its own and waits until its service answers. */
export async function startDesktopApp(options: { env: NodeJS.ProcessEnv; dataDir?: string }): Promise<DesktopApp> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'atelier-app-'))
  const { path, args } = desktopProgram()
  const app = await _electron.launch({ executablePath: path, args, env: desktopEnv(options.env, dataDir) })
  const page = await app.firstWindow()
  await page.evaluate(() => window.atelier?.connection())
  return {
    app,
    page,
    dataDir,
    close: async () => {
      await app.close()
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** The display is the machine's, the rest is what the caller gives, and every port is free. */
export function desktopEnv(env: NodeJS.ProcessEnv, dataDir: string): Record<string, string> {
  const { DISPLAY, XAUTHORITY } = process.env
  const all = { ...env, DISPLAY, XAUTHORITY, ATELIER_DATA_DIR: dataDir, ATELIER_PORT: '0', ATELIER_GATEWAY_PORT: '0' }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
