import type { FileEntry } from '../../api/v1/sandbox/files.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { Listed } from './listing.ts'
import { quotedForGit, unquotedByGit } from './names.ts'

type Link = NonNullable<FileEntry['link']>

/** Names that git ignores of those in a folder. None where there is no repository, or no git. */
export async function ignoredNames(
  sandbox: SandboxHandle,
  folder: string,
  entries: readonly Listed[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const names = entries.flatMap(({ name, isText }) => (isText ? [name] : []))
  if (names.length === 0) return new Set()
  // A program that settings of a repository name watches its files: nothing of it is started here.
  const argv = ['git', '-c', 'core.fsmonitor=false', 'check-ignore', '--stdin']
  // A name that begins with a colon would be a pattern.
  const stdin = names.map(name => `${quotedForGit(`./${name}`)}\n`).join('')
  const request = { argv, cwd: folder, stdin, maxBytes: MAX_ANSWER_BYTES, encoding: 'latin1' as const, signal }
  const { exitCode, stdout } = await sandbox.exec(request)
  if (exitCode !== 0) return new Set()
  return new Set(stdout.split('\n').map(line => unquotedByGit(line).slice(2)))
}

const MAX_ANSWER_BYTES = 4 * 2 ** 20

/** $@ names. Of each what stands behind the link, and where it leads; then NUL. */
const LINKS = `
for name; do
  if [ -d "$name" ]; then printf d; elif [ -f "$name" ]; then printf f; elif [ -e "$name" ]; then printf o; else printf m; fi
  readlink -- "$name" 2>/dev/null
  printf '\\0'
done`

const KINDS: Readonly<Record<string, Link['kind']>> = { d: 'directory', f: 'file', o: 'other', m: 'missing' }

export async function linksIn(
  sandbox: SandboxHandle,
  folder: string,
  entries: readonly Listed[],
  signal: AbortSignal,
): Promise<Map<string, Link>> {
  const names = entries.flatMap(({ name, kind, isText }) => (kind === 'link' && isText ? [name] : []))
  if (names.length === 0) return new Map()
  const argv = ['/bin/sh', '-c', LINKS, 'sh', ...names]
  const { stdout } = await sandbox.exec({ argv, cwd: folder, maxBytes: MAX_ANSWER_BYTES, signal })
  const answers = stdout.split('\0')
  return new Map(
    names.map((name, index) => {
      const answer = answers[index] ?? ''
      const path = answer.slice(1).replace(/\n$/, '')
      return [name, { path: path || null, kind: KINDS[answer.charAt(0)] ?? 'missing' }]
    }),
  )
}
