import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { GitCredentials } from '../git/provider.ts'
import { cloneRepository, initRepository, setIdentity } from '../git/repository.ts'
import type { SandboxHandle } from '../sandbox/handle.ts'
import type { WorkspaceSource } from './plan.ts'
import type { StartStepContext } from './start.ts'

const SETUP_TIMEOUT_MS = 600_000

/** Fills the workspace and returns the folder in which the agent works. */
export async function prepareWorkspace(
  sandbox: SandboxHandle,
  source: WorkspaceSource,
  options: {
    identity: { name: string; email: string }
    demonstrationDir: string
    /** What git presents at an address, if anything. */
    credentialsFor: (url: string) => Promise<GitCredentials | undefined>
  } & StartStepContext,
): Promise<string> {
  await setIdentity(sandbox, options.identity, options.signal)
  switch (source.kind) {
    case 'empty':
      await initRepository(sandbox, sandbox.workingDir, options.signal)
      return sandbox.workingDir
    case 'folder':
      await initRepository(sandbox, source.path, options.signal)
      return source.path
    case 'repository':
      return cloneRepository(sandbox, source, {
        signal: options.signal,
        credentials: await options.credentialsFor(source.url),
        onProgress: detail => options.report({ detail }),
      })
    case 'demonstration':
      return copyDemonstration(sandbox, source.name, options)
  }
}

async function copyDemonstration(
  sandbox: SandboxHandle,
  name: string,
  options: { demonstrationDir: string } & StartStepContext,
): Promise<string> {
  const folder = `${sandbox.workingDir}/${name}`
  await sandbox.writeFiles(folder, await readTree(options.demonstrationDir))
  await initRepository(sandbox, folder, options.signal)
  await sandbox.exec({
    argv: ['/bin/sh', '-c', 'git add -A && git commit -qm "The repository as it was found"'],
    cwd: folder,
    signal: options.signal,
  })
  return folder
}

async function readTree(root: string): Promise<{ path: string; content: Buffer }[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Promise.all(
    files.map(async file => ({ path: relative(root, file).split(sep).join('/'), content: await readFile(file) })),
  )
}

/** The repository's own `.openhands/setup.sh`. A failing script is reported, and the conversation starts anyway. */
export async function runSetupScript(sandbox: SandboxHandle, folder: string, context: StartStepContext): Promise<void> {
  if (!(await sandbox.stat(`${folder}/.openhands/setup.sh`))) return context.report({ detail: 'No setup script.' })
  const result = await sandbox.exec({
    argv: ['/bin/sh', '-c', 'chmod +x .openhands/setup.sh; exec ./.openhands/setup.sh 2>&1'],
    cwd: folder,
    timeoutMs: SETUP_TIMEOUT_MS,
    signal: context.signal,
    onOutput: text =>
      context.report({
        detail:
          text
            .trimEnd()
            .split(/[\r\n]+/)
            .at(-1) ?? '',
      }),
  })
  if (result.timedOut) context.report({ detail: 'The setup script was ended after 10 minutes.' })
  else context.report({ detail: `The setup script ended with exit code ${result.exitCode}.` })
}

/** Installs the repository's `.openhands/pre-commit.sh`; a hook that is there already still runs, before it. */
export async function installGitHooks(
  sandbox: SandboxHandle,
  folder: string,
  context: StartStepContext,
): Promise<void> {
  if (!(await sandbox.stat(`${folder}/.openhands/pre-commit.sh`))) return context.report({ detail: 'No git hooks.' })
  const result = await sandbox.exec({ argv: ['/bin/sh', '-c', HOOK_INSTALLER], cwd: folder, signal: context.signal })
  context.report({ detail: result.exitCode === 0 ? 'The pre-commit hook is installed.' : result.stderr.trim() })
}

const HOOK_INSTALLER = `set -e
hook=$(git rev-parse --git-path hooks)/pre-commit
mkdir -p "$(dirname "$hook")"
if [ -e "$hook" ] && ! grep -q 'openhands/pre-commit.sh' "$hook"; then mv "$hook" "$hook.local"; fi
cat >"$hook" <<'HOOK'
#!/bin/sh
here=$(git rev-parse --git-path hooks)
[ ! -x "$here/pre-commit.local" ] || "$here/pre-commit.local" "$@" || exit $?
exec "$(git rev-parse --show-toplevel)/.openhands/pre-commit.sh"
HOOK
chmod +x "$hook" .openhands/pre-commit.sh`
