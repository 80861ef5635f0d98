import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import { collect, commandStopped } from '../command/command.ts'
import { type SandboxProcess, startProcess } from '../command/process.ts'
import type { ContainerFiles } from './files.ts'
import { isMounted } from './mounted-files.ts'

/** Exit codes of `tar` for an archive that is whole but for files that changed, or could not be read, meanwhile. */
const TAR_IS_WHOLE = [0, 1, 2]
const MAX_SAID = 4096

interface Output {
  argv: string[]
  cwd: string
  /** Exit codes with which everything was written. */
  whole: readonly number[]
  /** What is written beyond so many bytes is left out, and less is an error. */
  sizeBytes?: number
}

/**
 * The bytes of a file as they are read. An archive of the engine locks its container until it was read, so that a slow
 * reader would hold up the agent; a process in the sandbox does not. A file that grows is cut where it ended.
 *
 * @returns undefined where no process can read it: the engine can then
 */
export function streamFile(place: ContainerFiles, path: string, sizeBytes: number): Promise<Readable | undefined> {
  return outputOf(place, { argv: ['cat', '--', path], cwd: '/', whole: [0], sizeBytes })
}

/** A tar of a folder, under its own name. @returns undefined where no process can archive it: the engine can then */
export async function streamArchive(place: ContainerFiles): Promise<Readable | undefined> {
  const path = posix.normalize(place.path).replace(/(?<=.)\/$/, '')
  // Of the root, a process would archive the mounted file systems too.
  if (path === '/' || isMounted(path)) return undefined
  const argv = ['tar', '-cf', '-', '--', posix.basename(path)]
  return outputOf(place, { argv, cwd: posix.dirname(path), whole: TAR_IS_WHOLE })
}

/** Resolves when the first bytes are there; undefined when the command failed without any. */
async function outputOf(place: ContainerFiles, output: Output): Promise<Readable | undefined> {
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

async function start(place: ContainerFiles, { argv, cwd }: Output): Promise<SandboxProcess | undefined> {
  try {
    const process = await startProcess(place.engine, place.containerId, { argv, cwd, env: {}, stdin: false })
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
  const timer = setTimeout(() => {
    void process.stop('TERM')
    content.destroy(commandStopped(`could hand over nothing for ${limit / 1000} s`))
  }, limit)
  const content = Readable.from(bytes(process, following, timer), { objectMode: false })
  return content
}

async function* bytes(
  process: SandboxProcess,
  { output, first, pieces }: Following,
  timer: NodeJS.Timeout,
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
    if (output.sizeBytes !== undefined ? left > 0 : !output.whole.includes(await process.stream.exitCode))
      throw cutOff()
  } finally {
    clearTimeout(timer)
    // Output that nobody takes would hold up the end.
    await pieces.return?.()
    if (!next.done) await process.stop('TERM')
    process.stream.close()
  }
}

function cutOff(): AppError {
  return new AppError('command_failed', 'What was being read in the sandbox was cut off. Try again.')
}
