import { existsSync } from 'node:fs'
import { capture, run } from './command.mjs'
import { SetupError, say, step } from './progress.mjs'

/** What each part of the project needs from Debian or Ubuntu. Installed together, in one call. */
export const packagesFor = {
  engine: ['docker.io', 'iptables'],
  image: ['mmdebstrap', 'debian-archive-keyring'],
  keychain: ['libsecret-1-0'],
  electron: ['libnss3', 'libgtk-3-0', 'libgbm1', 'libasound2', 'libxss1', 'libsecret-1-0'],
  tests: [
    'xvfb',
    'xauth',
    'weston',
    'dbus',
    'dunst',
    'gnome-keyring',
    'git',
    'openssh-client',
    'openssh-server',
    'podman',
    'netavark',
    'catatonit',
    'uidmap',
    'rootlesskit',
    'runsc',
    'slirp4netns',
    'fuse-overlayfs',
    'busybox-static',
    'zsh',
    'fish',
  ],
  packages: ['rpm', 'lintian', 'desktop-file-utils', 'appstream', 'busybox-static'],
}

const statusFormat = '$' + '{Package} $' + '{db:Status-Status}\n'

/** @typedef {keyof typeof packagesFor} PackageGroup */

export function isDebian() {
  return process.platform === 'linux' && existsSync('/etc/debian_version')
}

/** Whether this process may install packages. */
export function canInstall() {
  return isDebian() && process.getuid?.() === 0
}

/**
 * @param {readonly PackageGroup[]} groups
 * @returns {string[]} each name once, in the order of the groups
 */
export function packageList(groups) {
  return [...new Set(groups.flatMap(group => packagesFor[group]))]
}

/**
 * The names among `wanted` that are not installed. A package renamed for 64-bit time (Ubuntu 24.04, Debian 13 call
 * libgtk-3-0 `libgtk-3-0t64`) counts under either name.
 * @param {readonly string[]} wanted
 * @param {string} status lines of `dpkg-query -W -f '${Package} ${db:Status-Status}\n'`
 */
export function missingPackages(wanted, status) {
  const installed = new Set(
    status
      .split('\n')
      .filter(line => line.endsWith(' installed'))
      .map(line => line.split(' ')[0]?.replace(/t64$/, '')),
  )
  return wanted.filter(name => !installed.has(name))
}

/**
 * The names as this release of Debian or Ubuntu has them.
 * @param {readonly string[]} names
 * @param {string} available one name a line, as `apt-cache pkgnames` prints
 */
export function releaseNames(names, available) {
  const known = new Set(available.split('\n'))
  return names.map(name => (known.has(`${name}t64`) ? `${name}t64` : name))
}

/**
 * Installs what is missing in one apt call as root; otherwise says what to type, and the caller goes on with what there is.
 * @param {readonly PackageGroup[]} groups
 */
export async function ensurePackages(groups) {
  if (!isDebian()) return
  const wanted = packageList(groups)
  const query = ['-W', '-f', statusFormat, ...wanted.flatMap(name => [name, `${name}t64`])]
  const { stdout } = await capture('dpkg-query', query, { quiet: true })
  const missing = missingPackages(wanted, stdout)
  if (missing.length === 0) return
  if (canInstall()) return step(`Installing Debian packages: ${missing.join(' ')}`, () => install(missing))
  say(
    `! These Debian packages are missing: ${missing.join(' ')}. Install them with:\n` +
      `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`,
  )
}

/** @param {string[]} missing */
async function install(missing) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  // A third-party source that does not answer must not stop us: the install itself says what is truly missing.
  await capture('apt-get', ['update', '-q', ...wait], { env, quiet: true })
  const { stdout } = await capture('apt-cache', ['pkgnames'], { quiet: true })
  const names = releaseNames(missing, stdout)
  try {
    const args = ['install', '-y', '-q', '--no-install-recommends', ...wait, ...names]
    await run('apt-get', args, { env, quiet: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(
      `apt-get could not install ${names.join(' ')}.\n${reason}\nCheck the network and run this again.`,
    )
  }
}
