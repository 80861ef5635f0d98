import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { chmod, copyFile, link, lstat, mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { AppError } from '../domain/errors.ts'
import type { AppliedFile, BaseFile } from './copies.ts'

/** A stream costs more than the bytes of a file of this size. */
const SMALL_BYTES = 2 ** 20
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

function inBatches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) =>
    all.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )
}

async function writeOne(folder: string, write: FileWrite, copy: string): Promise<AppliedFile> {
  const target = join(folder, write.path)
  const place = await placeOf(folder, write.path)
  if (place === 'blocked') throw changedMeanwhile(write.path)
  let before: AppliedFile['before'] = null
  if (place === 'file') {
    const found = await lstat(target)
    before = { mode: found.mode & 0o777, kept: posix.basename(copy.replaceAll('\\', '/')) }
    await keep(target, copy, found)
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
  const after = await hashOf(write.content)
  await replace(folder, write.path, { content: write.content, mode, isSpent: true })
  return { ...shared, after }
}

/** The file itself, which is about to get another one in its place; its bytes where that cannot be. */
async function keep(target: string, copy: string, { nlink }: { nlink: number }): Promise<void> {
  // One that has a second name may still be written to by that.
  if (nlink === 1 && (await isDone(link(target, copy)))) return
  await copyFile(target, copy, constants.COPYFILE_EXCL)
  await chmod(copy, 0o600)
}

/** @returns the files that are neither as they were applied nor, after an undo that failed half-way, as before that */
export async function changedSince(folder: string, files: readonly AppliedFile[], kept: string): Promise<string[]> {
  const hasChanged = async ({ path, before, after }: AppliedFile) => {
    const place = await placeOf(folder, path)
    const now = place === 'file' ? await hashOf(join(folder, path)) : null
    const isKnown = now === after || now === (before && (await hashOf(join(kept, before.kept))))
    return place === 'blocked' || !isKnown
  }
  const changed: string[] = []
  for (const batch of inBatches(files)) {
    const ends = await Promise.all(batch.map(hasChanged))
    changed.push(...batch.filter((_, index) => ends[index]).map(({ path }) => path))
  }
  return changed
}

export async function restoreFiles(folder: string, files: readonly AppliedFile[], kept: string): Promise<void> {
  const restore = async ({ path, before }: AppliedFile) => {
    if (before) {
      await replace(folder, path, { content: join(kept, before.kept), mode: before.mode, isSpent: false })
    } else {
      await rm(join(folder, path), { force: true })
      await removeEmpty(folder, path)
    }
  }
  // What came goes first, so that what was there has its place.
  const steps = [files.filter(({ before }) => before === null), files.filter(({ before }) => before !== null)]
  for (const batch of steps.flatMap(inBatches)) await Promise.all(batch.map(restore))
}

/** In one step: a file beside it, then a rename; of the content itself where it is spent and on the same disk. */
async function replace(
  folder: string,
  path: string,
  { content, mode, isSpent }: { content: string; mode: number; isSpent: boolean },
): Promise<void> {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  if (isSpent) {
    await chmod(content, mode)
    if (await isDone(rename(content, target))) return
  }
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
    if (!(await isDone(rmdir(join(folder, at))))) return
  }
}

function isDone(step: Promise<void>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  )
}

function changedMeanwhile(path: string): AppError {
  return new AppError(
    'conflict',
    `${JSON.stringify(path)} changed meanwhile; nothing was written. Look again, then apply.`,
  )
}
