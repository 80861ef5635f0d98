import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './machine/command.mjs'
import { withLock } from './machine/lock.mjs'
import { projectFolder } from './machine/paths.mjs'
import { SetupError, step } from './machine/progress.mjs'

/** @typedef {Record<string, {version?: string, resolved?: string, optional?: boolean}>} LockedPackages */

/** `npm ci`, unless npm's own record says that what the lock file names is installed. */
export async function ensureDependencies() {
  if (isInstalled()) return
  await withLock('npm', async () => {
    if (!isInstalled()) await install()
  })
}

/** @returns {boolean} whether what the lock file names is installed */
export function isInstalled() {
  const record = join(projectFolder, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  return covers(readPackages(record), readPackages(join(projectFolder, 'package-lock.json')))
}

/**
 * Optional packages are those of other platforms: their absence is no news.
 * @param {LockedPackages} installed
 * @param {LockedPackages} locked
 */
export function covers(installed, locked) {
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === '') return true
    const present = installed[path]
    return present ? present.version === wanted.version : wanted.optional === true
  })
}

/**
 * @param {string} file
 * @returns {LockedPackages}
 */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

async function install() {
  const env = { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1' }
  const options = { cwd: projectFolder, env, quiet: true }
  const quietly = ['--no-fund', '--no-audit', '--loglevel=error']
  const { code, output } = await step(
    'Installing npm packages',
    async () => {
      const clean = await capture('npm', ['ci', ...quietly], options)
      // A lock file written where the registry lacked other platforms' optional packages does not satisfy `npm ci`;
      // `npm install` takes every version from it all the same.
      return clean.output.includes('EUSAGE') ? capture('npm', ['install', '--no-save', ...quietly], options) : clean
    },
    result => (result.code === 0 ? '' : { failed: 'see below' }),
  )
  if (code !== 0) {
    throw new SetupError(
      `npm could not install the packages. Check the network and run this again.\n${output.trimEnd().slice(-2000)}`,
    )
  }
}
