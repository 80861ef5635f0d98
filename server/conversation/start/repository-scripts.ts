import type { RepositoryItem } from '../../api/v1/conversation/repository-trust.ts'
import type { CommandResult, SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { GIT_CONFIG } from '../../trust/git-folder.ts'
import { COMMIT_HOOK, execScript, SETUP_SCRIPT } from '../../trust/script-text.ts'

export interface SetupRun {
  /** The script as it was read, with the files that it names. */
  item: RepositoryItem
  /** Secrets for it. */
  env: Record<string, string>
  mask: Pick<Mask, 'stream'>
  signal: AbortSignal
  /** Called with each whole line of output, masked. */
  onLine: (line: string) => void
}

const SETUP_TIMEOUT_MS = 600_000
const MAX_DETAIL_LENGTH = 500
const CHANGED = 97

/** Takes pairs of a path and its text: what runs is what was read, and not what has been put in its place since. */
const RUN_SETUP = `exec 2>&1
while [ $# -gt 0 ]; do
  if [ -L "$1" ] || [ "$(cat -- "$1"; printf x)" != "$2x" ]; then
    echo "$1 has changed since it was read, so that nothing was run."
    exit ${CHANGED}
  fi
  shift 2
done
${execScript(`./${SETUP_SCRIPT}`)}`

/** Runs `.openhands/setup.sh`. @returns how it ended, as a sentence, and whether it ended well */
export async function runSetupScript(
  sandbox: SandboxHandle,
  folder: string,
  { item, env, mask, signal, onLine }: SetupRun,
): Promise<{ ok: boolean; outcome: string }> {
  const shown = lastLines(mask, onLine)
  const guarded = Object.keys(env).length === 0 ? [] : item.files.flatMap(textOf)
  const result = await sandbox.exec({
    argv: ['/bin/sh', '-c', RUN_SETUP, 'sh', ...guarded],
    isForeign: true,
    cwd: folder,
    env,
    timeoutMs: SETUP_TIMEOUT_MS,
    signal,
    onOutput: shown.push,
  })
  return ended(result, shown.end())
}

/** Of git's configuration the item has only the lines that matter. */
function textOf({ path, text }: RepositoryItem['files'][number]): string[] {
  return text === null || path === GIT_CONFIG ? [] : [path, text]
}

function ended({ timedOut, exitCode }: CommandResult, last: string): { ok: boolean; outcome: string } {
  if (timedOut) return { ok: false, outcome: 'The setup script was ended after 10 minutes.' }
  const words = exitCode !== 0 && last ? ` It said: ${last}` : ''
  return { ok: exitCode === 0, outcome: `The setup script ended with exit code ${exitCode}.${words}` }
}

/** Tells the last whole line of output, as a person may see it. */
function lastLines(mask: Pick<Mask, 'stream'>, tell: (line: string) => void) {
  const masked = mask.stream()
  let open = ''
  let last = ''
  const take = (text: string) => {
    const lines = (open + text).split(/[\r\n]+/)
    open = lines.pop()?.slice(-MAX_DETAIL_LENGTH) ?? ''
    const line = lines.findLast(each => each.trim() !== '')
    if (line === undefined) return
    last = line.trim().slice(0, MAX_DETAIL_LENGTH)
    tell(last)
  }
  return {
    push: (text: string) => take(masked.push(text)),
    /** @returns the last line of all */
    end: () => {
      take(`${masked.flush()}\n`)
      return last
    },
  }
}

/**
 * Installs the repository's `.openhands/pre-commit.sh` as it was read; a hook that is there already still runs, before it.
 * It runs in the shell of whoever commits, and so with the secrets that the command names: a commit with other content of
 * the script, or of a file that it names, does not run it.
 * @throws Error with what the sandbox printed
 */
export async function installGitHook(
  sandbox: SandboxHandle,
  folder: string,
  { item, signal }: { item: RepositoryItem; signal: AbortSignal },
): Promise<void> {
  const texts = item.files.flatMap(textOf)
  await run(sandbox, folder, { argv: ['/bin/sh', '-c', INSTALL, 'sh', ...texts], signal })
}

export async function removeGitHook(sandbox: SandboxHandle, folder: string, signal: AbortSignal): Promise<void> {
  await run(sandbox, folder, { argv: ['/bin/sh', '-c', REMOVE], signal })
}

async function run(sandbox: SandboxHandle, cwd: string, command: { argv: string[]; signal: AbortSignal }) {
  const { exitCode, stderr } = await sandbox.exec({ ...command, cwd, timeoutMs: 60_000 })
  if (exitCode !== 0) throw new Error(stderr.trim() || `exit code ${exitCode}`)
}

const HOOK_PATH = `hook=$(git rev-parse --git-path hooks)/pre-commit || exit
trusted=$(git rev-parse --git-path hooks)/pre-commit.trusted
ours() { [ -f "$hook" ] && grep -q 'openhands/pre-commit.sh' "$hook"; }`

/** Takes pairs of a path and its text, which are kept beside the hook. */
const INSTALL = `set -e
${HOOK_PATH}
mkdir -p "$(dirname "$hook")"
[ -w "$(dirname "$hook")" ] || { echo "hooks of a folder of this computer stay as they are" >&2; exit 1; }
if [ -e "$hook" ] && ! ours; then mv "$hook" "$hook.local"; fi
rm -rf "$trusted"
mkdir "$trusted"
number=0
while [ $# -gt 0 ]; do
  number=$((number + 1))
  printf '%s\\n' "$1" >"$trusted/$number.path"
  printf '%s' "$2" >"$trusted/$number.text"
  shift 2
done
cat >"$hook" <<'HOOK'
${COMMIT_HOOK}HOOK
chmod +x "$hook"`

const REMOVE = `${HOOK_PATH}
if ours; then
  rm -f "$hook"
  if [ -e "$hook.local" ]; then mv "$hook.local" "$hook"; fi
fi
rm -rf "$trusted"`
