import { messageOf } from '../errors.ts'
import type { SandboxHandle } from '../sandbox/handle.ts'
import type { SecretEnvironment } from '../secret/environment.ts'
import type { Mask } from '../secret/mask.ts'
import type { StartStepContext } from './start.ts'

export interface SetupSecrets extends SecretEnvironment {
  mask: Pick<Mask, 'stream'>
  /** The conversation asks before it acts, and nobody is asked about the script: it gets none. */
  withheld: boolean
}

const SETUP = '.openhands/setup.sh'
const SETUP_TIMEOUT_MS = 600_000
const LONGEST_DETAIL = 500

/**
 * Shell commands that become the script: by the interpreter that its first line names, or else by bash, where there is one.
 * It need not be executable, so the repository stays as it was cloned.
 */
function become(script: string): string {
  return `IFS= read -r first <${script}
case $first in
  '#!'*) set -f; IFS=$(printf ' \\t\\r'); exec \${first#??} ${script} ;;
esac
if command -v bash >/dev/null 2>&1; then exec bash ${script}; fi
exec sh ${script}`
}

const RUN_SETUP = `exec 2>&1\n${become(`./${SETUP}`)}`

/**
 * The repository's own `.openhands/setup.sh`, with the secrets that it names. A failing script is reported, and the
 * conversation starts anyway.
 */
export async function runSetupScript(
  sandbox: SandboxHandle,
  folder: string,
  context: StartStepContext & { secrets: SetupSecrets },
): Promise<void> {
  const { report, signal, secrets } = context
  if (!(await sandbox.stat(`${folder}/${SETUP}`))) return report({ detail: 'No setup script.' })
  const shown = lastLines(secrets.mask, detail => report({ detail }))
  const { env, missed } = await namedSecrets((await sandbox.readFile(`${folder}/${SETUP}`)).toString(), context)
  const result = await sandbox.exec({
    argv: ['/bin/sh', '-c', RUN_SETUP],
    cwd: folder,
    env,
    timeoutMs: SETUP_TIMEOUT_MS,
    signal,
    onOutput: shown.push,
  })
  const said = shown.end()
  const end = result.timedOut ? 'was ended after 10 minutes' : `ended with exit code ${result.exitCode}`
  const words = !result.timedOut && result.exitCode !== 0 && said ? ` It said: ${said}` : ''
  report({ detail: `The setup script ${end}.${missed}${words}` })
}

/** Without them the script may still do what it can. `missed` is why it has none that it names. */
async function namedSecrets(
  script: string,
  { secrets, signal }: StartStepContext & { secrets: SetupSecrets },
): Promise<{ env: Record<string, string>; missed: string }> {
  if (secrets.withheld) {
    const named = secrets.variables().some(({ variable }) => script.includes(variable))
    return { env: {}, missed: named ? ' It got no secrets, since this conversation asks before it acts.' : '' }
  }
  try {
    return { env: await secrets.forCommand(script, signal), missed: '' }
  } catch (error) {
    return { env: {}, missed: ` It got no secrets: ${messageOf(error)}` }
  }
}

/** Tells the last whole line of output, as a person may see it. */
function lastLines(mask: SetupSecrets['mask'], tell: (line: string) => void) {
  const masked = mask.stream()
  let open = ''
  let last = ''
  const take = (text: string) => {
    const lines = (open + text).split(/[\r\n]+/)
    open = lines.pop()?.slice(-LONGEST_DETAIL) ?? ''
    const line = lines.findLast(each => each.trim() !== '')
    if (line === undefined) return
    last = line.trim().slice(0, LONGEST_DETAIL)
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

/** Installs the repository's `.openhands/pre-commit.sh`; a hook that is there already still runs, before it. */
export async function installGitHooks(
  sandbox: SandboxHandle,
  folder: string,
  context: StartStepContext,
): Promise<void> {
  if (!(await sandbox.stat(`${folder}/.openhands/pre-commit.sh`))) return context.report({ detail: 'No git hooks.' })
  const result = await sandbox.exec({ argv: ['/bin/sh', '-c', HOOK_INSTALLER], cwd: folder, signal: context.signal })
  const detail =
    result.exitCode === 0
      ? 'The pre-commit hook is installed.'
      : `The pre-commit hook could not be installed: ${result.stderr.trim()}`
  context.report({ detail })
}

const HOOK_INSTALLER = `set -e
hook=$(git rev-parse --git-path hooks)/pre-commit
mkdir -p "$(dirname "$hook")"
if [ -e "$hook" ] && ! grep -q 'openhands/pre-commit.sh' "$hook"; then mv "$hook" "$hook.local"; fi
cat >"$hook" <<'HOOK'
#!/bin/sh
here=$(git rev-parse --git-path hooks)
[ ! -x "$here/pre-commit.local" ] || "$here/pre-commit.local" "$@" || exit $?
cd "$(git rev-parse --show-toplevel)" || exit 1
${become('./.openhands/pre-commit.sh')}
HOOK
chmod +x "$hook"`
