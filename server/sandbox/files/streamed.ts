import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { ByteRange } from '../../domain/sandbox-handle.ts'
import { collect, commandStopped } from '../command/command.ts'
import { type SandboxProcess, startProcess } from '../command/process.ts'
import type { ContainerFiles } from './files.ts'
import { isMounted } from './mounted-files.ts'

/** Exit codes of `tar` for an archive that is whole but for files that changed, or could not be read, meanwhile. */
const TAR_IS_WHOLE = [0, 1, 2]
const MAX_SAID = 4096

/** Programs in it may be ended through a kept shell, where there is one. */
type ReadPlace = Pick<ContainerFiles, 'engine' | 'containerId' | 'path'> & Partial<Pick<ContainerFiles, 'shells'>>

interface Output {
  argv: string[]
  cwd: string
  /** Exit codes with which everything was written. */
  whole: readonly number[]
  /** What is written beyond so many bytes is left out, and less is an error. */
  sizeBytes?: number
}

/**
 * The bytes of a file as they are read, or a range of them. An archive of the engine locks its container until it was read, so that a slow
 * reader would hold up the agent; a process in the sandbox does not. A file that grows is cut where it ended.
 *
 * @returns undefined where no process can read it: the engine can then
 */
export function streamFile(
  place: ReadPlace,
  path: string,
  { start, length: sizeBytes }: ByteRange,
): Promise<Readable | undefined> {
  const argv = start === 0 ? ['cat', '--', path] : ['tail', '-c', `+${start + 1}`, '--', path]
  return outputOf(place, { argv, cwd: '/', whole: [0], sizeBytes })
}

/** A tar of a folder, under its own name. @returns undefined where no process can archive it: the engine can then */
export async function streamArchive(place: ReadPlace): Promise<Readable | undefined> {
  const path = posix.normalize(place.path).replace(/(?<=.)\/$/, '')
  // Of the root, a process would archive the mounted file systems too.
  if (path === '/' || isMounted(path)) return undefined
  const argv = ['tar', '-cf', '-', '--', posix.basename(path)]
  return outputOf(place, { argv, cwd: posix.dirname(path), whole: TAR_IS_WHOLE })
}

/** Numbers of downloads by container; each holds a process in it until it was read. */
const downloads = new Map<string, number>()

/** Counts a download until the returned function is called. @throws AppError too_many_requests */
function countDownload(containerId: string): () => void {
  const { limit } = BOUNDS.downloads
  const count = downloads.get(containerId) ?? 0
  if (count >= limit) {
    const what = `${limit} files and folders of this sandbox are being read already.`
    throw new AppError('too_many_requests', `${what} Read these to their end, or close them, then ask again.`)
  }
  downloads.set(containerId, count + 1)
  return () => {
    const left = (downloads.get(containerId) ?? 1) - 1
    if (left > 0) downloads.set(containerId, left)
    else downloads.delete(containerId)
  }
}

async function outputOf(place: ReadPlace, output: Output): Promise<Readable | undefined> {
  const release = countDownload(place.containerId)
  try {
    const content = await startOutput(place, output)
    content?.once('close', release)
    if (!content) release()
    return content
  } catch (error) {
    release()
    throw error
  }
}

/** Resolves when the first bytes are there; undefined when the command failed without any. */
async function startOutput(place: ReadPlace, output: Output): Promise<Readable | undefined> {
  const process = await start(place, output)
  if (!process) return undefined
  const pieces = process.stream.stdout[Symbol.asyncIterator]()
  let late = false
  const timer = setTimeout(() => {
    late = true
    void process.stop('TERM')
  }, BOUNDS.sandboxCommand.limit)
  const first = await pieces.next()
  clearTimeout(timer)
  if (late) throw commandStopped(`wrote nothing for ${BOUNDS.sandboxCommand.limit / 1000} s`)
  const failed = first.done && !output.whole.includes(await process.stream.exitCode)
  if (failed) process.stream.close()
  return failed ? undefined : follow(process, { output, first, pieces })
}

async function start(place: ReadPlace, { argv, cwd }: Output): Promise<SandboxProcess | undefined> {
  try {
    const process = await startProcess(place, { argv, cwd, env: {}, stdin: false })
    const onExcess = () => void process.stop('TERM')
    collect(process.stream.stderr, { limit: MAX_SAID, onExcess }).catch(() => {})
    return process
  } catch (error) {
    // There is no shell, or no such folder.
    if (isAppError(error, 'command_failed') || isAppError(error, 'file_not_found')) return undefined
    throw error
  }
}

interface Following {
  output: Output
  first: IteratorResult<Buffer>
  pieces: AsyncIterator<Buffer>
}

/** Whoever gets it reads it to the end or destroys it; a reader that takes nothing for too long is cut off. */
function follow(process: SandboxProcess, following: Following): Readable {
  const { limit } = BOUNDS.stalledDownload
  const timer = setTimeout(
    () => content.destroy(commandStopped(`could hand over nothing for ${limit / 1000} s`)),
    limit,
  )
  const state = { ended: false }
  const content = Readable.from(bytes(process, following, { timer, state }), { objectMode: false })
  // One that is destroyed before anybody has read runs nothing of its generator, the end of it neither.
  content.once('close', () => {
    clearTimeout(timer)
    if (state.ended) process.stream.close()
    else void process.stop('TERM')
  })
  return content
}

async function* bytes(
  process: SandboxProcess,
  { output, first, pieces }: Following,
  { timer, state }: { timer: NodeJS.Timeout; state: { ended: boolean } },
): AsyncGenerator<Buffer, void> {
  let left = output.sizeBytes ?? Number.POSITIVE_INFINITY
  let next = first
  try {
    for (; !next.done && left > 0; next = await pieces.next()) {
      const piece = next.value.subarray(0, left)
      left -= piece.length
      yield piece
      timer.refresh()
    }
    state.ended = next.done === true
    if (output.sizeBytes !== undefined ? left > 0 : !output.whole.includes(await process.stream.exitCode))
      throw cutOff()
  } finally {
    // Output that nobody takes would hold up the end.
    await pieces.return?.()
  }
}

function cutOff(): AppError {
  return new AppError('command_failed', 'What was being read in the sandbox was cut off. Try again.')
}
