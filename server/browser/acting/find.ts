import type { SandboxHandle } from '../../domain/sandbox-handle.ts'

export type PackageManager = 'apt-get' | 'apk' | 'dnf' | 'pacman' | 'zypper'

/** What a sandbox has: a browser, or a way to get one. */
export type FoundBrowser =
  | { kind: 'found'; executable: string; version: string }
  | { kind: 'missing'; manager: PackageManager | null; distribution: string }

/** Looked for in this order: those that have no window at all start fastest. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'headless_shell',
  'headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
]

/** Where browser libraries and images put their own. */
const CANDIDATE_PATHS = [
  '/headless-shell/headless-shell',
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/ms-playwright/chromium_headless_shell-*/chrome-*/*headless?shell',
  '/ms-playwright/chromium-*/chrome-linux*/chrome',
  '"$HOME"/.cache/ms-playwright/chromium_headless_shell-*/chrome-*/*headless?shell',
  '"$HOME"/.cache/ms-playwright/chromium-*/chrome-linux*/chrome',
  '"$HOME"/.cache/puppeteer/chrome-headless-shell/*/chrome-*/chrome-headless-shell',
  '"$HOME"/.cache/puppeteer/chrome/*/chrome-linux*/chrome',
]

/** Only what says its version counts: on some systems the command merely says how to install it. */
const PROBE = `
try() {
  [ -x "$1" ] || return 0
  version=$("$1" --version 2>/dev/null </dev/null) || return 0
  case $version in
    *[0-9].[0-9]*) printf 'found\\n%s\\n%s\\n' "$1" "$version"; exit 0 ;;
  esac
}
for name in "$CHROME_BIN" "$PUPPETEER_EXECUTABLE_PATH" ${NAMES.join(' ')}; do
  [ -n "$name" ] && try "$(command -v "$name" 2>/dev/null)"
done
for path in ${CANDIDATE_PATHS.join(' ')}; do try "$path"; done
manager=
for name in apt-get apk dnf pacman zypper; do
  command -v "$name" >/dev/null 2>&1 && { manager=$name; break; }
done
[ -r /etc/os-release ] && . /etc/os-release
printf 'missing\\n%s\\n%s\\n' "$manager" "$ID"`

const PROBE_MS = 20_000

/** Looks for a browser in a sandbox; `/bin/sh` is all that is needed for it. */
export async function findBrowser(sandbox: SandboxHandle, signal?: AbortSignal): Promise<FoundBrowser> {
  const request = { argv: ['/bin/sh', '-c', PROBE], cwd: '/', timeoutMs: PROBE_MS, ...(signal && { signal }) }
  const { stdout } = await sandbox.exec(request)
  const [kind, first = '', second = ''] = stdout.split('\n').map(line => line.trim())
  if (kind === 'found') return { kind, executable: first, version: versionIn(second) }
  return { kind: 'missing', manager: MANAGERS.find(name => name === first) ?? null, distribution: second }
}

const MANAGERS: readonly PackageManager[] = ['apt-get', 'apk', 'dnf', 'pacman', 'zypper']

function versionIn(said: string): string {
  return /\d+(?:\.\d+)+/.exec(said)?.[0] ?? ''
}

const COMMANDS: Record<PackageManager, string> = {
  'apt-get': 'apt-get update && apt-get install -y --no-install-recommends chromium',
  apk: 'apk add --no-cache chromium',
  dnf: 'dnf install -y chromium-headless',
  pacman: 'pacman -Sy --noconfirm chromium',
  zypper: 'zypper --non-interactive install chromium',
}

/** The command that installs a browser in such a sandbox, or in an image made from it; null where there is no package. */
export function installCommand({ manager, distribution }: Extract<FoundBrowser, { kind: 'missing' }>): string | null {
  // Ubuntu's package only points to a snap, which does not run in a container.
  if (manager === null || distribution === 'ubuntu') return null
  return COMMANDS[manager]
}
