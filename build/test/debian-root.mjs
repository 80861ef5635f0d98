import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../machine/command.mjs'
import { packageList } from '../machine/debian.mjs'
import { withLock } from '../machine/lock.mjs'
import { cacheFolder } from '../machine/paths.mjs'
import { step } from '../machine/progress.mjs'
import { suiteOf } from '../sandbox-image/debootstrap.mjs'
import { readRecipe } from '../sandbox-image/recipe.mjs'

/**
 * What the app's package depends on, what desktops have that its files are for, how they ask for a password, a display, and rpm for
 * packages of the other kind.
 */
const packages = [
  ...packageList(['electron']),
  'desktop-file-utils',
  'gtk-update-icon-cache',
  'dbus',
  'pkexec',
  'polkitd',
  'xvfb',
  'rpm',
]
const user = 'ada'
const prefix = 'debian-root-'

/**
 * A fresh Debian with one person, as a folder that tests lay their own changes over; made once. Root on Debian, with a network.
 * @returns {Promise<string>}
 */
export async function ensureDebianRoot() {
  const suite = suiteOf(readRecipe())
  const print = createHash('sha256')
    .update([suite, user, ...packages].join('\0'))
    .digest('hex')
    .slice(0, 12)
  const folder = join(cacheFolder(), `${prefix}${print}`)
  await withLock('debian-root', async () => {
    if (existsSync(folder)) return
    await step('Making a Debian to install packages in', () => make(folder, suite))
  })
  return folder
}

/**
 * @param {string} folder
 * @param {string} suite
 */
async function make(folder, suite) {
  mkdirSync(cacheFolder(), { recursive: true })
  for (const old of readdirSync(cacheFolder()).filter(name => name.startsWith(prefix))) {
    rmSync(join(cacheFolder(), old), { recursive: true, force: true })
  }
  const partial = `${folder}.partial`
  const hook = `--customize-hook=chroot "$1" useradd --create-home --shell /bin/bash ${user}`
  const options = ['--variant=minbase', '--quiet', '--format=directory', `--include=${packages.join(',')}`, hook]
  await run('mmdebstrap', [...options, suite, partial], { quiet: true })
  renameSync(partial, folder)
}
