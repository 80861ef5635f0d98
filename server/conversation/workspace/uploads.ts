import { posix } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { absolutePath, takenBy } from './paths.ts'

export type Existing = 'refuse' | 'replace' | 'keep_both'

const MAX_NUMBER = 100

/** @throws AppError conflict, bad_request for a folder */
export async function receiveUpload(
  sandbox: SandboxHandle,
  { path, existing }: { path: string; existing: Existing },
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<{ path: string; size_bytes: number }> {
  const target = await freePath(sandbox, absolutePath(sandbox, path), existing)
  const size = await sandbox.receiveFile(target, content, signal, { onlyNew: existing !== 'replace' })
  return { path: target, size_bytes: size }
}

/** Looked at before anything is sent: a large file is not to arrive in vain. */
async function freePath(sandbox: SandboxHandle, path: string, existing: Existing): Promise<string> {
  if (existing === 'replace') return path
  for (let number = 1; number <= MAX_NUMBER; number++) {
    const name = number === 1 ? path : numbered(path, number)
    if (!(await sandbox.stat(name))) return name
    if (existing === 'refuse') break
  }
  if (existing === 'refuse') throw takenBy(path)
  throw new AppError('conflict', `There are ${MAX_NUMBER} files of the name of ${path} already. Choose another name.`)
}

/** `a.tar.gz` becomes `a (2).tar.gz`, and `.env` becomes `.env (2)`. */
export function numbered(path: string, number: number): string {
  const { dir, base } = posix.parse(path)
  const dot = base.indexOf('.', 1)
  const [stem, extension] = dot === -1 ? [base, ''] : [base.slice(0, dot), base.slice(dot)]
  return posix.join(dir, `${stem} (${number})${extension}`)
}
