import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../domain/errors.ts'
import type { OpenFolder } from './open.ts'

/** A content that is called `object`; `pieces` are read once, and have as many bytes as `size` says. */
export interface ClaimedBlob {
  object: string
  size: number
  pieces: AsyncIterable<Buffer>
}

/**
 * Takes contents over as objects of ours, all into one pack: a file for each takes longer than anything else.
 * @throws AppError bad_request when one is not what its name says, and what `blobs` throws
 */
export async function addObjects(
  { git }: OpenFolder,
  blobs: AsyncIterable<ClaimedBlob>,
  signal: AbortSignal,
): Promise<void> {
  const claimed: string[] = []
  // https://git-scm.com/docs/git-fast-import#_blob
  const commands = async function* () {
    for await (const { object, size, pieces } of blobs) {
      claimed.push(object)
      yield Buffer.from(`blob\nmark :${claimed.length}\ndata ${size}\n`)
      yield* pieces
      yield Buffer.from('\n')
    }
  }
  const marks = join(git.home, 'marks')
  const settings = ['-c', 'fastimport.unpackLimit=1']
  await git.feed([...settings, 'fast-import', '--quiet', `--export-marks=${marks}`], commands(), signal)
  const named = new Map((await readFile(marks, 'utf8')).split('\n').map(line => line.split(' ') as [string, string]))
  if (claimed.every((object, index) => named.get(`:${index + 1}`) === object)) return
  throw new AppError(
    'bad_request',
    'A file of the sandbox has another content than its name says. Nothing was written.',
  )
}
