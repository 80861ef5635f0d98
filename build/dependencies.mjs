import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './machine/command.mjs'
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

function isInstalled() {
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
  const args = ['ci', '--no-fund', '--no-audit', '--loglevel=error']
  try {
    await step('Installing npm packages', () => run('npm', args, { cwd: projectFolder, env, quiet: true }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(`npm ci failed. Check the network and run this again.\n${reason}`)
  }
}
