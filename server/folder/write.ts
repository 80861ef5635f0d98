import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { AppError } from '../domain/errors.ts'
import type { AppliedFile, BaseFile } from './copies.ts'

/** A stream costs more than the bytes of a file of this size. */
export const SMALL_BYTES = 2 ** 20
/** Files that are written at the same time. */
const AT_ONCE = 16

/** What lies at a path of a folder. `blocked`: a part of the path is a link or a file, or it is no regular file. */
export type Place = 'absent' | 'file' | 'blocked'

/** Never follows a link. */
export async function placeOf(folder: string, path: string): Promise<Place> {
  const parts = path.split('/')
  for (let count = 1; count <= parts.length; count++) {
    const found = await lstat(join(folder, ...parts.slice(0, count))).catch(() => undefined)
    if (!found) return 'absent'
    if (count === parts.length) return found.isFile() ? 'file' : 'blocked'
    if (!found.isDirectory()) return 'blocked'
  }
  return 'blocked'
}

/** In hexadecimal digits. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  const { size } = await lstat(file)
  if (size <= SMALL_BYTES) return hash.update(await readFile(file)).digest('hex')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** What is to be done with one file. */
export interface FileWrite {
  path: string
  /** A file with the new bytes; null to remove it. */
  content: string | null
  isExecutable: boolean
  base: BaseFile | null
  /** SHA-256 of what was compared; null where there was nothing. */
  seen: string | null
}

/**
 * Writes all of it or nothing: when one fails, those before it are restored.
 * @param kept folder for the bytes that are replaced
 * @throws AppError conflict for a file that changed meanwhile, and the signal's reason
 */
export async function writeFiles(
  folder: string,
  writes: readonly FileWrite[],
  { kept, signal }: { kept: string; signal: AbortSignal },
): Promise<AppliedFile[]> {
  const done: AppliedFile[] = []
  // What goes makes place for what comes.
  const steps = [writes.filter(({ content }) => content === null), writes.filter(({ content }) => content !== null)]
  try {
    for (const batch of steps.flatMap(inBatches)) {
      signal.throwIfAborted()
      const first = done.length
      const copyOf = (index: number) => join(kept, String(first + index))
      const ends = await Promise.allSettled(batch.map((write, index) => writeOne(folder, write, copyOf(index))))
      for (const end of ends) if (end.status === 'fulfilled') done.push(end.value)
      const failed = ends.find(end => end.status === 'rejected')
      if (failed) throw failed.reason
    }
    return done
  } catch (error) {
    await restoreFiles(folder, done, kept)
    throw error
  }
}

function inBatches(writes: readonly FileWrite[]): FileWrite[][] {
  return Array.from({ length: Math.ceil(writes.length / AT_ONCE) }, (_, index) =>
    writes.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )
}

async function writeOne(folder: string, write: FileWrite, copy: string): Promise<AppliedFile> {
  const target = join(folder, write.path)
  const place = await placeOf(folder, write.path)
  if (place === 'blocked') throw changedMeanwhile(write.path)
  let before: AppliedFile['before'] = null
  if (place === 'file') {
    before = { mode: (await lstat(target)).mode & 0o777, kept: posix.basename(copy.replaceAll('\\', '/')) }
    await copyFile(target, copy, constants.COPYFILE_EXCL)
    await chmod(copy, 0o600)
  }
  if ((before && (await hashOf(copy))) !== write.seen) throw changedMeanwhile(write.path)
  const shared = { path: write.path, before, base: write.base }
  if (write.content === null) {
    await rm(target)
    await removeEmpty(folder, write.path)
    return { ...shared, after: null }
  }
  const usual = before?.mode ?? (await lstat(write.content)).mode & 0o666
  const mode = write.isExecutable ? usual | ((usual & 0o444) >> 2) : usual & ~0o111
  await replace(folder, write.path, { content: write.content, mode })
  return { ...shared, after: await hashOf(write.content) }
}

/** @returns the files that are neither as they were applied nor, after an undo that failed half-way, as before that */
export async function changedSince(folder: string, files: readonly AppliedFile[], kept: string): Promise<string[]> {
  const changed: string[] = []
  for (const { path, before, after } of files) {
    const place = await placeOf(folder, path)
    const now = place === 'file' ? await hashOf(join(folder, path)) : null
    const isKnown = now === after || now === (before && (await hashOf(join(kept, before.kept))))
    if (place === 'blocked' || !isKnown) changed.push(path)
  }
  return changed
}

export async function restoreFiles(folder: string, files: readonly AppliedFile[], kept: string): Promise<void> {
  for (const { path, before } of files.toReversed()) {
    if (before) {
      await replace(folder, path, { content: join(kept, before.kept), mode: before.mode })
    } else {
      await rm(join(folder, path), { force: true })
      await removeEmpty(folder, path)
    }
  }
}

/** In one step: a file beside it, then a rename. */
async function replace(folder: string, path: string, { content, mode }: { content: string; mode: number }) {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  const beside = join(dirname(target), `.atelier-${randomUUID()}`)
  try {
    await copyFile(content, beside, constants.COPYFILE_EXCL)
    await chmod(beside, mode)
    await rename(beside, target)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

async function removeEmpty(folder: string, path: string): Promise<void> {
  for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) {
    const gone = await rmdir(join(folder, at)).then(
      () => true,
      () => false,
    )
    if (!gone) return
  }
}

function changedMeanwhile(path: string): AppError {
  return new AppError(
    'conflict',
    `${JSON.stringify(path)} changed meanwhile; nothing was written. Look again, then apply.`,
  )
}
