import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { appVersion } from '../bundle.mjs'
import { canInstall } from '../machine/debian.mjs'
import { SetupError, step } from '../machine/progress.mjs'
import { sourceEpoch } from '../package/epoch.mjs'
import { makeDeb } from '../package/linux/deb.mjs'

/** Where the Debian package puts the app. */
const PROGRAM = '/opt/Atelier/atelier'

/** With mounts of its own, which go with it: what the package installs lies over this machine, and only what is run there sees it. */
const OVER_THIS_MACHINE = `set -e
package=$1 work=$2
shift 2
mount -t tmpfs tmpfs "$work"
for folder in etc opt usr var; do
  mkdir -p "$work/$folder/upper" "$work/$folder/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$work/$folder/upper,workdir=$work/$folder/work" "/$folder"
done
dpkg --install "$package" >/dev/null
exec "$@"`

/**
 * The app as its Debian package installs it, in the place of the packaged folder.
 * @template T
 * @param {string} app the packaged program
 * @param {(installed: {program: string, prefix: string[]}) => Promise<T>} work what needs it is run with the prefix
 * @returns {Promise<T>}
 */
export async function withInstalled(app, work) {
  if (!canInstall()) throw new SetupError('A package is installed by root on Debian: leave --installed out here.')
  const folder = mkdtempSync(join(tmpdir(), 'atelier-installed-'))
  try {
    const source = { app: dirname(app), version: appVersion(), epoch: await sourceEpoch(), release: false }
    const file = await step('Making the Debian package', () => makeDeb(source, folder))
    const mounts = mkdtempSync(join(folder, 'mounts-'))
    const prefix = ['unshare', '--mount', '--propagation=private', 'sh', '-c', OVER_THIS_MACHINE, 'sh', file, mounts]
    return await work({ program: PROGRAM, prefix })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
