import { posix } from 'node:path'
import type { RepositoryFile } from '../api/v1/conversation/repository-trust.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { isAppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { sha256 } from './content.ts'
import { referencedPaths } from './references.ts'

/** The root of a repository in a sandbox. */
export interface RepositoryLocation {
  sandbox: SandboxHandle
  folder: string
  signal: AbortSignal
}

export const TOO_MUCH = 'It names more files of the repository, or larger ones, than a person could look through.'

/**
 * Adds all files of the repository that these name, and that those name, each read once.
 * @throws AppError of the sandbox, and the signal's reason
 */
export async function withNamedFiles(
  first: readonly RepositoryFile[],
  place: RepositoryLocation,
): Promise<{ files: RepositoryFile[]; problem: string | null }> {
  const files = [...first]
  const seen = new Set(first.map(({ path }) => path))
  for (let index = 0; index < files.length; index++) {
    const { text, path: from } = files[index] as RepositoryFile
    if (text === null) continue
    const named = referencedPaths({ path: from, text })?.filter(candidate => !seen.has(candidate))
    if (!named) return { files, problem: TOO_MUCH }
    for (const candidate of named) seen.add(candidate)
    if (seen.size > BOUNDS.trustedWords.limit) return { files, problem: TOO_MUCH }
    const kinds = await kindsOf(named, place)
    const present = named.filter((_, position) => kinds[position] === 'file')
    if (files.length + present.length > BOUNDS.trustedFiles.limit) return { files, problem: TOO_MUCH }
    const read = await Promise.all(present.map(candidate => readRepositoryFile(candidate, place)))
    if (read.includes(null)) return { files, problem: TOO_MUCH }
    files.push(...read.filter(file => file !== null))
  }
  return { files, problem: null }
}

/** Read through the engine. null for one that is too large or has gone. */
export async function readRepositoryFile(
  path: string,
  { sandbox, folder, signal }: RepositoryLocation,
): Promise<RepositoryFile | null> {
  signal.throwIfAborted()
  try {
    const bytes = await sandbox.readFile(posix.join(folder, path), { maxBytes: BOUNDS.trustedFile.limit })
    return fileOf(path, bytes)
  } catch (error) {
    if (
      isAppError(error, 'file_too_large') ||
      isAppError(error, 'file_not_found') ||
      isAppError(error, 'bad_request')
    ) {
      return null
    }
    throw error
  }
}

export function fileOf(path: string, bytes: Buffer): RepositoryFile {
  return { path, sha256: sha256(bytes), size_bytes: bytes.length, text: textIn(bytes) }
}

function textIn(bytes: Buffer): string | null {
  if (bytes.length > BOUNDS.trustedScript.limit || bytes.includes(0)) return null
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : null
}

/** `none`: it does not exist, is something else, or lies outside of the repository. */
type PathKind = 'file' | 'folder' | 'link' | 'none'

/** A path in each line of the input, a kind in each of the output. Needs nothing but the shell itself. */
const KINDS = `here=$(pwd -P)
while IFS= read -r path; do
  kind=none
  if [ -L "./$path" ]; then kind=link
  elif [ -f "./$path" ]; then kind=file
  elif [ -d "./$path" ]; then kind=folder
  fi
  in=$here
  case $path in */*) in=$(cd -P -- "./\${path%/*}" 2>/dev/null && pwd -P) ;; esac
  case $in/ in "\${here%/}"/*) echo $kind ;; *) echo none ;; esac
done`

/** In the order of the paths. */
export async function kindsOf(
  paths: readonly string[],
  { sandbox, folder, signal }: RepositoryLocation,
): Promise<PathKind[]> {
  if (paths.length === 0) return []
  const { stdout } = await sandbox.exec({
    argv: ['/bin/sh', '-c', KINDS],
    cwd: folder,
    stdin: paths.map(path => `${path}\n`).join(''),
    timeoutMs: 20_000,
    signal,
  })
  const lines = stdout.split('\n')
  return paths.map((_, position) => KIND_WORDS.find(kind => kind === lines[position]) ?? 'none')
}

const KIND_WORDS: readonly PathKind[] = ['file', 'folder', 'link']
