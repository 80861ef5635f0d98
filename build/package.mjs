import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './machine/command.mjs'
import { fingerprint, isStale, whenStale } from './machine/fingerprint.mjs'
import { withLock } from './machine/lock.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { isMain, runMain, SetupError, say, step } from './machine/progress.mjs'
import { builderConfig } from './package/builder-config.mjs'
import { makeDeb } from './package/deb.mjs'
import { setUp } from './setup.mjs'

const contents = ['out/electron', 'out/server', 'out/chunks', 'out/renderer', 'out/resources', 'build/icons']
const recipe = ['build/package.mjs', 'build/package', 'package.json', 'package-lock.json']

/**
 * Packages the bundled app as a folder that runs by itself.
 * @param {import('./electron.mjs').ElectronDist} electron
 * @param {{release?: boolean}} [options] a release does not let a debugger or a test driver in
 * @returns {Promise<string>} the executable
 */
export async function ensurePackage(electron, { release = false } = {}) {
  if (release && !electron.official) {
    throw new SetupError(
      'A release is made with the official Electron only, and it could not be downloaded from GitHub.',
    )
  }
  const output = join(outFolder, 'package', release ? 'release' : 'test')
  const print = `${electron.folder} ${electron.version} ${fingerprint(projectFolder, [...contents, ...recipe])}`
  const job = { stamp: join(output, '.package'), print, work: () => step('Packaging the app', packageApp) }
  if (isStale(job)) await withLock('package', () => whenStale(job))
  return executable(output)

  async function packageApp() {
    rmSync(output, { recursive: true, force: true })
    mkdirSync(output, { recursive: true })
    const config = join(output, 'electron-builder.json')
    writeFileSync(config, JSON.stringify(builderConfig({ electron, output, release }), null, 2))
    const cli = join(projectFolder, 'node_modules', 'electron-builder', 'cli.js')
    await run(process.execPath, [cli, '--dir', '--config', config, '--publish', 'never'], {
      cwd: projectFolder,
      quiet: true,
    })
    // The test runtime's stand-in for Electron's default app.
    rmSync(join(dirname(executable(output)), 'resources', 'app'), { recursive: true, force: true })
    if (process.platform === 'linux') addCommandLine(dirname(executable(output)))
  }
}

/**
 * The program `bin/atelier` beside the app, which is the app's command line.
 * @param {string} app
 */
function addCommandLine(app) {
  mkdirSync(join(app, 'bin'))
  cpSync(join(projectFolder, 'build', 'package', 'atelier.sh'), join(app, 'bin', 'atelier'))
  chmodSync(join(app, 'bin', 'atelier'), 0o755)
}

/** @param {string} output */
function executable(output) {
  if (process.platform === 'darwin') {
    const folder = process.arch === 'arm64' ? 'mac-arm64' : 'mac'
    return join(output, folder, 'Atelier.app', 'Contents', 'MacOS', 'Atelier')
  }
  const suffix = process.arch === 'x64' ? '' : `-${process.arch}`
  if (process.platform === 'win32') return join(output, `win${suffix}-unpacked`, 'Atelier.exe')
  return join(output, `linux${suffix}-unpacked`, 'atelier')
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    const options = process.argv.slice(2)
    const { electron } = await setUp({ electron: true })
    if (!electron) return 1
    const program = await ensurePackage(electron, { release: options.includes('--release') })
    say(`✓ The app is ${program}`)
    if (options.includes('--deb')) say(`✓ The Debian package is ${await makeDeb(program)}`)
    return 0
  })
}
