import { Semaphore } from '../async/semaphore.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { messageOf } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import type { ImageRecord } from './record.ts'

const MAX_LINE = 300
const MAX_TAIL = 3
const MAX_AT_ONCE = 4

type SetUpCommand = ImageRecord['commands'][number]

export interface SetUpRun {
  /** Where the repository lies in the sandbox. */
  folder: string
  /** Where the configuration takes it to lie. */
  workspaceFolder: string
  mask: (text: string) => string
  signal: AbortSignal
  onLine: (line: string) => void
}

/**
 * Runs the set-up commands of a dev container, without secrets: they are scripts of the repository. One that fails ends
 * them, and not the start: https://containers.dev/implementors/spec/#lifecycle @returns how it ended, as sentences
 */
export async function runSetUpCommands(
  sandbox: SandboxHandle,
  commands: readonly SetUpCommand[],
  run: SetUpRun,
): Promise<string> {
  const atOnce = new Semaphore(() => MAX_AT_ONCE)
  for (const [index, { name, command }] of commands.entries()) {
    run.onLine(`${name} …`)
    const parts = typeof command === 'string' || Array.isArray(command) ? [command] : Object.values(command)
    const ends = await Promise.all(
      parts.map(part =>
        atOnce.run(
          () => runOne(sandbox, part, run),
          () => {},
          run.signal,
        ),
      ),
    )
    const failed = ends.find(end => end !== null)
    if (!failed) continue
    const rest = [...new Set(commands.slice(index + 1).map(each => each.name))].filter(each => each !== name)
    const left = rest.length > 0 ? ` ${rest.join(', ')} did not run after that.` : ''
    return `${name} ${failed}${left}`
  }
  const names = [...new Set(commands.map(({ name }) => name))]
  return names.length === 0 ? '' : `${names.join(', ')} ended well.`
}

/** @returns how it failed; null when it did not */
async function runOne(sandbox: SandboxHandle, command: string | string[], run: SetUpRun): Promise<string | null> {
  const { folder, workspaceFolder, mask, signal, onLine } = run
  const placed = (text: string) => inPlace(text, { folder, workspaceFolder })
  const argv = typeof command === 'string' ? ['/bin/sh', '-c', placed(command)] : command.map(placed)
  const tail: string[] = []
  let open = ''
  const take = (text: string) => {
    const lines = (open + text).split(/[\r\n]+/)
    open = lines.pop()?.slice(-MAX_LINE) ?? ''
    for (const line of lines.map(each => mask(each).trim().slice(0, MAX_LINE))) {
      if (line === '') continue
      tail.push(line)
      if (tail.length > MAX_TAIL) tail.shift()
    }
    const last = tail.at(-1)
    if (last !== undefined) onLine(last)
  }
  try {
    const timeoutMs = BOUNDS.devContainerCommand.limit
    const result = await sandbox.exec({ argv, cwd: folder, isForeign: true, timeoutMs, signal, onOutput: take })
    take('\n')
    if (result.timedOut) return `was ended after ${timeoutMs / 60_000} minutes.`
    if (result.exitCode === 0) return null
    return `ended with exit code ${result.exitCode}.${tail.length > 0 ? ` It said: ${tail.join(' · ')}` : ''}`
  } catch (error) {
    signal.throwIfAborted()
    return `could not be run. ${messageOf(error)}`
  }
}

/** Features and images leave the variables of the folder as they are, and the repository may lie in another one. */
function inPlace(text: string, { folder, workspaceFolder }: Pick<SetUpRun, 'folder' | 'workspaceFolder'>): string {
  const known = text
    .replaceAll('${containerWorkspaceFolderBasename}', folder.split('/').at(-1) ?? '')
    .replaceAll('${containerWorkspaceFolder}', folder)
  return workspaceFolder === folder || workspaceFolder.length < 2 ? known : known.replaceAll(workspaceFolder, folder)
}
