import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { appVersion } from './bundle.mjs'
import { requireBundledImage } from './image.mjs'
import { run, which } from './machine/command.mjs'
import { fingerprint, isStale, whenStale } from './machine/fingerprint.mjs'
import { withLock } from './machine/lock.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { isMain, megabytes, runMain, SetupError, say, step } from './machine/progress.mjs'
import { builderConfig, signingVariables } from './package/builder-config.mjs'
import { sourceEpoch } from './package/epoch.mjs'
import { makeDeb } from './package/linux/deb.mjs'
import { makeRpm } from './package/linux/rpm.mjs'
import { makeTar } from './package/linux/tar.mjs'
import { writeDescriptions } from './release/feed.mjs'
import { billOfMaterials } from './release/sbom.mjs'
import { updateSource } from './release/signature.mjs'
import { setUp } from './setup.mjs'

const contents = ['out/electron', 'out/server', 'out/chunks', 'out/renderer', 'out/resources', 'build/icons']
const recipe = ['build/package.mjs', 'build/package', 'package.json', 'package-lock.json']

/**
 * Packages the bundled app as a folder that runs by itself.
 * @param {import('./electron.mjs').ElectronDist} electron
 * @param {{release?: boolean}} [options] a release carries the sandbox image, and does not let a debugger or a test driver in
 * @returns {Promise<string>} the executable
 */
export async function ensurePackage(electron, { release = false } = {}) {
  if (release && !electron.official) {
    throw new SetupError(
      'A release is made with the official Electron only, and it could not be downloaded from GitHub.',
    )
  }
  if (release) requireBundledImage()
  const output = outputFolder(release)
  const source = updateSource()
  const updates = source ? join(output, 'updates.json') : null
  const config = builderConfig({ electron, output, release, updates })
  const print = packagePrint({ config, source }, fingerprint(projectFolder, [...contents, ...recipe]))
  const job = { stamp: join(output, '.package'), print, work: () => step('Packaging the app', packageApp) }
  if (isStale(job)) await withLock('package', () => whenStale(job))
  return executable(output)

  async function packageApp() {
    rmSync(output, { recursive: true, force: true })
    mkdirSync(output, { recursive: true })
    const file = configFile(release)
    writeFileSync(file, JSON.stringify(config, null, 2))
    if (updates) writeFileSync(updates, JSON.stringify(source))
    const cli = join(projectFolder, 'node_modules', 'electron-builder', 'cli.js')
    await run(process.execPath, [cli, '--dir', '--config', file, '--publish', 'never'], {
      cwd: projectFolder,
      quiet: true,
    })
    // The test runtime's stand-in for Electron's default app.
    rmSync(join(dirname(executable(output)), 'resources', 'app'), { recursive: true, force: true })
    if (process.platform === 'linux') addCommandLine(dirname(executable(output)))
  }
}

/**
 * What a packaged folder depends on: the files that it is made of, what electron-builder is told, where updates come from, and what it is
 * signed with, of which the names alone are looked at.
 * @param {unknown} told
 * @param {string} files their fingerprint
 * @param {NodeJS.ProcessEnv} [env]
 */
export function packagePrint(told, files, env = process.env) {
  const signing = signingVariables.filter(name => env[name])
  return createHash('sha256').update(JSON.stringify({ told, files, signing })).digest('hex')
}

/**
 * The executable of the app that was packaged last.
 * @param {boolean} release
 */
export function packagedProgram(release) {
  const program = executable(outputFolder(release))
  if (existsSync(program)) return program
  throw new SetupError(`There is no ${program}. Run npm run package${release ? ' -- --release' : ''} first.`)
}

/** @param {boolean} release */
function outputFolder(release) {
  return join(outFolder, 'package', release ? 'release' : 'test')
}

/** @param {boolean} release */
function configFile(release) {
  return join(outputFolder(release), 'electron-builder.json')
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
 * Makes packages of the packaged app, each anew: the chosen ones on Linux, and the installers of the system elsewhere. They are alone in
 * `out/package/files/release` or `files/test` with a bill of what is in them: what an earlier run made there is gone.
 * @param {string} program the packaged executable
 * @param {{release: boolean, chosen: readonly Format[], electron: import('./electron.mjs').ElectronDist}} options
 * @returns {Promise<string[]>} the files
 */
export async function makePackages(program, { release, chosen, electron }) {
  if (chosen.length === 0) return []
  const isLinux = process.platform === 'linux'
  const missing = chosen.map(name => formats[name].tool).filter(tool => isLinux && !which(tool))
  if (missing.length > 0) {
    throw new SetupError(
      `These programs are missing: ${missing.join(', ')}. Debian's packages dpkg, tar and rpm have them.`,
    )
  }
  const folder = join(outFolder, 'package', 'files', release ? 'release' : 'test')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const source = { app: dirname(program), version: appVersion(), epoch: await sourceEpoch(), release }
  const files = isLinux ? await makeFormats(chosen, source, folder) : await makeInstallers(program, release, folder)
  const bill = join(folder, `atelier-${source.version}-${process.platform}-${process.arch}.cdx.json`)
  const text = JSON.stringify(billOfMaterials(projectFolder, { ...source, electron: electron.version }), null, 2)
  writeFileSync(bill, `${text}\n`)
  const changelog = readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8')
  const descriptions = await writeDescriptions(files, { ...source, changelog, folder })
  return [...files, bill, ...descriptions]
}

/**
 * @param {readonly Format[]} chosen
 * @param {import('./package/linux/tree.mjs').Source} source
 * @param {string} folder where the files are put
 */
async function makeFormats(chosen, source, folder) {
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
 * @param {string} folder where the files are put
 * @returns {Promise<string[]>} the files
 */
async function makeInstallers(program, release, folder) {
  const output = outputFolder(release)
  for (const old of installersIn(output)) rmSync(join(output, old))
  const app = process.platform === 'darwin' ? dirname(dirname(dirname(program))) : dirname(program)
  const cli = join(projectFolder, 'node_modules', 'electron-builder', 'cli.js')
  const args = ['--prepackaged', app, '--config', configFile(release), '--publish', 'never']
  const work = () => run(process.execPath, [cli, ...args], { cwd: projectFolder, quiet: true })
  await step('Making the installers', work)
  return installersIn(output).map(name => {
    const file = join(folder, name.replaceAll(' ', '-'))
    cpSync(join(output, name), file)
    return file
  })
}

/** @param {string} output */
function installersIn(output) {
  return readdirSync(output).filter(name => /\.(dmg|zip|exe|msi)$/.test(name))
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    const options = parseOptions(process.argv.slice(2))
    const { electron } = await setUp({ electron: true })
    if (!electron) return 1
    const program = await ensurePackage(electron, options)
    say(`✓ The app is ${program}`)
    await makePackages(program, { ...options, electron })
    return 0
  })
}
