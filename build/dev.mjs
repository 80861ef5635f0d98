import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appVersion } from './bundle.mjs'
import { runHeadless } from './dev/headless.mjs'
import { chooseModel, startModel } from './dev/model.mjs'
import { openDevWindow } from './dev/window.mjs'
import { whenOrphaned } from './machine/foreground.mjs'
import { outFolder } from './machine/paths.mjs'
import { runMain, SetupError, say } from './machine/progress.mjs'
import { machineEnv, setUp } from './setup.mjs'

/** `npm run dev`, or `npm run dev -- [--headless] [--inspect[=PORT]] [ARGUMENT…]`; Electron or Node gets the arguments. */
await runMain(async () => {
  // Vite's builds would make it "production" for the whole process, which turns hot reload off.
  process.env.NODE_ENV = 'development'
  const interruption = interrupted()
  const args = process.argv.slice(2).filter(argument => argument !== '--headless')
  const headless = process.argv.includes('--headless')
  if (!headless && !hasDisplay()) {
    throw new SetupError('There is no display. Run it under Xvfb, or with --headless for the service alone.')
  }
  const machine = await setUp({ electron: !headless, bundle: false })
  const folder = emptyFolder()
  const model = await startModel()
  const key = process.env.SESSION_API_KEY ?? randomBytes(32).toString('hex')
  const program = await openProgram()
  program.start()
  const code = await Promise.race([program.ended, interruption])
  await Promise.all([program.stop(), model.close()])
  // Neither Vite nor a watcher has anything worth waiting for, and one in the midst of a build may not end.
  process.exit(code)

  function openProgram() {
    const env = {
      ...machineEnv(machine),
      SESSION_API_KEY: key,
      ATELIER_DATA_DIR: process.env.ATELIER_DATA_DIR ?? join(outFolder, 'dev-data'),
      ATELIER_LOG_STDERR: process.env.ATELIER_LOG_STDERR ?? '1',
    }
    const options = { folder, args, env, onService }
    if (!machine.electron) return runHeadless(options)
    return openDevWindow({ ...options, electron: machine.electron })
  }

  /** @param {string} url */
  async function onService(url) {
    try {
      await chooseModel({ url, key }, model.url)
      say(`✓ The service is at ${url}`)
    } catch (error) {
      say(`! ${error instanceof Error ? error.message : error}`)
    }
  }
})

/** What Electron takes for an app: a folder with a package.json. */
function emptyFolder() {
  const folder = join(outFolder, 'dev', 'app')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const manifest = { name: 'atelier', version: appVersion(), type: 'module', main: 'electron/main.js' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  return folder
}

/** @returns {Promise<number>} */
function interrupted() {
  return new Promise(resolve => {
    const stop = () => resolve(0)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop)
    whenOrphaned(stop)
  })
}

function hasDisplay() {
  if (process.platform !== 'linux') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}
