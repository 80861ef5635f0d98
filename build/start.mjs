import { join } from 'node:path'
import { electronFlags, electronProgram } from './electron.mjs'
import { runInPlace } from './machine/foreground.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { runMain, say } from './machine/progress.mjs'
import { machineEnv, setUp } from './setup.mjs'

await runMain(() => (hasDisplay() ? openWindow() : serveBrowser()))

async function openWindow() {
  const machine = await setUp({ electron: true })
  if (!machine.electron) throw new Error('Set-up gave no Electron.')
  const args = [...electronFlags(), projectFolder, ...process.argv.slice(2)]
  return runInPlace(electronProgram(machine.electron.folder), args, { cwd: projectFolder, env: machineEnv(machine) })
}

async function serveBrowser() {
  say('! There is no display (DISPLAY and WAYLAND_DISPLAY are not set), so no window can open.')
  say('  Atelier serves the same screens to a browser on this machine instead; the address follows.')
  const env = { ...machineEnv(await setUp()), ATELIER_LOGIN_LINK: '1' }
  return runInPlace(process.execPath, [join(outFolder, 'server', 'main.js')], { env })
}

function hasDisplay() {
  if (process.platform !== 'linux') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}
