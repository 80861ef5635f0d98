import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { appVersion } from './bundle.mjs'
import { run, which } from './machine/command.mjs'
import { fingerprint, isStale, whenStale } from './machine/fingerprint.mjs'
import { withLock } from './machine/lock.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { isMain, megabytes, runMain, SetupError, say, step } from './machine/progress.mjs'
import { builderConfig } from './package/builder-config.mjs'
import { sourceEpoch } from './package/epoch.mjs'
import { makeDeb } from './package/linux/deb.mjs'
import { makeRpm } from './package/linux/rpm.mjs'
import { makeTar } from './package/linux/tar.mjs'
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

/** What is made of the packaged folder, by option; each with the program that makes it. */
const formats = {
  deb: { name: 'Debian package', tool: 'dpkg-deb', make: makeDeb },
  tar: { name: 'archive', tool: 'tar', make: makeTar },
  rpm: { name: 'RPM package', tool: 'rpmbuild', make: makeRpm },
}

/** @typedef {keyof typeof formats} Format */

/**
 * @param {readonly string[]} options of the command
 * @returns {{release: boolean, chosen: Format[]}}
 */
export function parseOptions(options) {
  const names = /** @type {Format[]} */ (Object.keys(formats))
  const unknown = options.filter(option => !['--release', '--all', ...names.map(name => `--${name}`)].includes(option))
  if (unknown.length > 0) {
    throw new SetupError(
      `${unknown.join(' ')} is not known. There are --release, --all, ${names.map(name => `--${name}`).join(', ')}.`,
    )
  }
  return {
    release: options.includes('--release'),
    chosen: names.filter(name => options.includes('--all') || options.includes(`--${name}`)),
  }
}

/**
 * Makes packages of the packaged app, each anew: the chosen ones on Linux, and the installers of the system elsewhere.
 * @param {string} program the packaged executable
 * @param {{release: boolean, chosen: readonly Format[]}} options
 * @returns {Promise<string[]>} the files
 */
export async function makePackages(program, { release, chosen }) {
  if (chosen.length > 0 && process.platform !== 'linux') return makeInstallers(program, release)
  const missing = chosen.map(name => formats[name].tool).filter(tool => !which(tool))
  if (missing.length > 0) {
    throw new SetupError(
      `These programs are missing: ${missing.join(', ')}. Debian's packages dpkg, tar and rpm have them.`,
    )
  }
  const folder = join(outFolder, 'package', 'files')
  const source = { app: dirname(program), version: appVersion(), epoch: await sourceEpoch(), release }
  const files = []
  for (const name of chosen) {
    const { name: what, make } = formats[name]
    files.push(
      await step(
        `Making the ${what}`,
        () => make(source, folder),
        file => `${file}, ${megabytes(statSync(file).size)}`,
      ),
    )
  }
  return files
}

/**
 * What electron-builder makes of the packaged folder on macOS and Windows. Its tools for that come from GitHub.
 * @param {string} program
 * @param {boolean} release
 * @returns {Promise<string[]>} the files
 */
async function makeInstallers(program, release) {
  const output = join(outFolder, 'package', release ? 'release' : 'test')
  const app = process.platform === 'darwin' ? dirname(dirname(dirname(program))) : dirname(program)
  const cli = join(projectFolder, 'node_modules', 'electron-builder', 'cli.js')
  const args = ['--prepackaged', app, '--config', join(output, 'electron-builder.json'), '--publish', 'never']
  const work = () => run(process.execPath, [cli, ...args], { cwd: projectFolder, quiet: true })
  await step('Making the installers', work)
  const folder = join(outFolder, 'package', 'files')
  mkdirSync(folder, { recursive: true })
  return readdirSync(output)
    .filter(name => /\.(dmg|zip|exe|msi)$/.test(name))
    .map(name => {
      const file = join(folder, name.replaceAll(' ', '-'))
      cpSync(join(output, name), file)
      return file
    })
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    const options = parseOptions(process.argv.slice(2))
    const { electron } = await setUp({ electron: true })
    if (!electron) return 1
    const program = await ensurePackage(electron, options)
    say(`✓ The app is ${program}`)
    await makePackages(program, options)
    return 0
  })
}
