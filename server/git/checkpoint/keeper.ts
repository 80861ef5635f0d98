import type { Readable } from 'node:stream'
import { timeLimit } from '../../async/time-limit.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import type { PipedProcess, SandboxHandle } from '../../domain/sandbox-handle.ts'
import { atCheckpoints, takeScript } from './script.ts'

/** The files of a conversation at one moment: the name of git's tree of them. */
export type Tree = string

const TREE = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const MAX_TREE = 64

/** As much of what git says as a person reads, its end. */
const MAX_SAID = 500

/** Takes the tree at each line that comes in, and prints it; an empty line where it could not. */
const EACH = `while IFS= read -r _; do take 2>/dev/null || echo; done`

/** A shell in the sandbox that keeps what the files are, as often as it is asked. */
export class CheckpointKeeper {
  readonly #process: PipedProcess
  readonly #lines: AsyncIterator<string, void>

  private constructor(process: PipedProcess) {
    this.#process = process
    process.stderr.resume()
    this.#lines = linesOf(process.stdout)
  }

  static async open(sandbox: SandboxHandle, conversation: string, signal: AbortSignal): Promise<CheckpointKeeper> {
    const script = `${takeScript(conversation, sandbox.workingDir)}${EACH}`
    return new CheckpointKeeper(await sandbox.openPiped({ argv: ['/bin/sh', '-c', script], cwd: '/', signal }))
  }

  /**
   * Aborting ends the shell.
   * @returns null where nothing can be kept: the image has no git, the files are too many, or the sandbox has gone
   */
  async take(signal: AbortSignal): Promise<Tree | null> {
    const limit = AbortSignal.any([signal, timeLimit(BOUNDS.checkpoint.limit)])
    const end = () => void this.close()
    limit.addEventListener('abort', end, { once: true })
    try {
      await this.#process.write('\n')
      const { value, done } = await this.#lines.next()
      return !done && TREE.test(value) ? value : null
    } finally {
      limit.removeEventListener('abort', end)
    }
  }

  close(): Promise<void> {
    return this.#process.close()
  }
}

/** Ends at a line that is longer than a tree: what calls itself git in the sandbox may print anything. */
async function* linesOf(output: Readable): AsyncGenerator<string, void> {
  let rest = ''
  for await (const chunk of output) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > MAX_TREE) return
  }
}

/**
 * The tree of the files as they are now; null where nothing can be kept, and what git said then.
 * @param next the tree that is to be restored after that: what would be lost by that is kept too
 */
export async function takeTree(
  sandbox: SandboxHandle,
  { conversation, next }: { conversation: string; next?: Tree },
  signal: AbortSignal,
): Promise<{ tree: Tree | null; said: string }> {
  const script = `${takeScript(conversation, sandbox.workingDir)}${next ? 'take_for "$1"' : 'take'}`
  const argv = ['/bin/sh', '-c', script, 'sh', next ?? '']
  const { stdout, stderr } = await sandbox.exec({ argv, cwd: '/', limitMs: BOUNDS.checkpoint.limit, signal })
  const tree = stdout.trim()
  return { tree: TREE.test(tree) ? tree : null, said: stderr.trim().slice(-MAX_SAID) }
}

/**
 * Makes the files what they are in a tree. What it did not keep stays: ignored and large files, and whatever git itself has
 * of a repository. @param from the tree of the files as they are now
 * @returns whether that was done and to how many files, and what git said where it was not
 */
export async function restoreTree(
  sandbox: SandboxHandle,
  { conversation, from, tree }: { conversation: string; from: Tree; tree: Tree },
  signal: AbortSignal,
): Promise<{ done: boolean; said: string; files: number }> {
  const script = `${atCheckpoints(conversation, sandbox.workingDir)}
cd -- "$GIT_WORK_TREE" && git read-tree --reset -u "$2" && git diff-tree -r --name-only -z "$1" "$2" | tr -cd '\\0' | wc -c`
  const argv = ['/bin/sh', '-c', script, 'sh', from, tree]
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv, cwd: '/', signal })
  return { done: exitCode === 0, said: stderr.trim().slice(-MAX_SAID), files: Number(stdout.trim()) || 0 }
}
