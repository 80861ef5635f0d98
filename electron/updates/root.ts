import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { UpdateError } from './problem.ts'

const PKEXEC = '/usr/bin/pkexec'

/** Exit codes of pkexec: the person dismissed the question, or nobody could be asked. */
const REFUSED = [126, 127]

/**
 * As root: the package is copied to where nobody else can write, verified there once more, and only then installed.
 * Between the download and the question for a password any program of the person could have put another file in its place.
 */
function script(install: string): string {
  return `set -e
umask 077
folder=$(mktemp -d /var/tmp/atelier-update.XXXXXXXX)
trap 'rm -rf "$folder"' EXIT
cp -- "$1" "$folder/$3"
printf '%s  %s\\n' "$2" "$folder/$3" | sha512sum --check --status || { echo "$1 was changed after its download." >&2; exit 1; }
chmod 755 "$folder"; chmod 644 "$folder/$3"
export DEBIAN_FRONTEND=noninteractive
${install}`
}

const SCRIPTS = {
  // Of the two only apt brings libraries that are newly needed.
  deb: script(`if command -v apt-get >/dev/null
then apt-get install --yes --no-remove --allow-downgrades "$folder/$3" >&2
else dpkg --install "$folder/$3" >&2
fi`),
  rpm: script('rpm --upgrade --oldpackage --replacepkgs "$folder/$3" >&2'),
}

/** Whether root can be had: by being it, or by asking the person. */
export function canBecomeRoot(): boolean {
  if (process.getuid?.() === 0) return true
  try {
    accessSync(PKEXEC, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Installs a package for everybody, after the desktop has asked for a password. Blocks until it is done.
 * @param sha512 in hexadecimal
 * @throws UpdateError not_permitted, not_installed
 */
export function installAsRoot(kind: keyof typeof SCRIPTS, file: string, sha512: string): void {
  const command = ['/bin/sh', '-c', SCRIPTS[kind], 'sh', file, sha512, `atelier.${kind}`]
  const [program = '', ...args] = process.getuid?.() === 0 ? command : [PKEXEC, '--disable-internal-agent', ...command]
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (error) throw new UpdateError('not_installed', error.message, error)
  if (status === 0) return
  const asked = program === PKEXEC && status !== null && REFUSED.includes(status)
  throw new UpdateError(asked ? 'not_permitted' : 'not_installed', lastLines(stderr))
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-4).join('\n').slice(-1_000)
}
