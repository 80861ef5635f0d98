import { createHash } from 'node:crypto'
import { BOUNDS } from '../../domain/bounds.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'

/** $1 the ancestor, $2 the commit. Prints every commit between them as `git cat-file --batch` does. */
const COMMITS_BETWEEN = 'git rev-list --ancestry-path "$1..$2" -- | git cat-file --batch'

/**
 * Whether a commit has another one among its ancestors. It believes no word of the sandbox: the name of a commit is the
 * digest of its content, in which its parents stand. Beyond BOUNDS.pushedHistory the answer is no.
 */
export async function descendsFrom(
  sandbox: SandboxHandle,
  { commit, ancestor }: { commit: string; ancestor: string },
  signal: AbortSignal,
): Promise<boolean> {
  const argv = ['/bin/sh', '-c', COMMITS_BETWEEN, 'sh', ancestor, commit]
  const process = await sandbox.openPiped({ argv, cwd: sandbox.workingDir, signal })
  const close = () => void process.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    process.stderr.resume()
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of process.stdout) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > BOUNDS.pushedHistory.limit) return false
    }
    signal.throwIfAborted()
    return leadsTo(parentsIn(Buffer.concat(chunks), commit.length), commit, ancestor)
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

function leadsTo(parents: ReadonlyMap<string, readonly string[]>, commit: string, ancestor: string): boolean {
  const seen = new Set<string>()
  const open = [commit]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === ancestor) return true
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...(parents.get(next) ?? []))
  }
  return false
}

/** Of each commit, by the digest of what was read of it. */
function parentsIn(output: Buffer, digits: number): Map<string, string[]> {
  const algorithm = digits === 64 ? 'sha256' : 'sha1'
  const parents = new Map<string, string[]>()
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at)
    const [, size] = /^[0-9a-f]+ commit (\d+)$/.exec(output.toString('latin1', at, Math.max(end, at))) ?? []
    if (size === undefined) break
    const content = output.subarray(end + 1, end + 1 + Number(size))
    const name = createHash(algorithm).update(`commit ${content.length}\0`).update(content).digest('hex')
    const header = content.toString('latin1').split('\n\n', 1)[0] ?? ''
    parents.set(
      name,
      [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent),
    )
    at = end + 1 + Number(size) + 1
  }
  return parents
}
