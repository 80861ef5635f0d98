import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { ByteRange } from '../../domain/sandbox-handle.ts'
import { collect, commandStopped, runCommand } from '../command/command.ts'
import { startProcess } from '../command/process.ts'
import { entriesOf } from './entries.ts'
import { absolute, type ContainerFiles, readFile, resolve } from './files.ts'
import { isMounted } from './mounted-files.ts'
import { streamFile } from './streamed.ts'

/** $1 folder, $2 temporary file in it. Says how much has arrived. */
const RECEIVE = 'mkdir -p -- "$1" && cat >"$2" && wc -c <"$2"'
/** $1 temporary file, $2 file. The copy keeps mode and owner of a file that is there. */
const PLACE =
  'if [ -d "$2" ]; then exit 21; fi; [ ! -f "$2" ] || { cp -p -- "$2" "$1.m" && cat "$1" >"$1.m" && mv -f -- "$1.m" "$1"; }; mv -f -- "$1" "$2"'

/** The same where nothing may be, which is looked at in the last moment. */
const PLACE_NEW =
  'if [ -e "$2" ] || [ -L "$2" ]; then exit 17; fi; mv -n -- "$1" "$2" || exit; ! [ -e "$1" ] || exit 17'
const TAKEN = 17

/**
 * Writes a file as it arrives, however large: nothing of it stays in memory. It takes the place of the old one in one
 * step, and only as a whole. @throws AppError command_failed, command_stopped, bad_request for a place where no file can be, conflict
 */
export async function receiveFile(
  place: ContainerFiles,
  content: AsyncIterable<Buffer>,
  { signal, onlyNew = false }: { signal: AbortSignal; onlyNew?: boolean },
): Promise<number> {
  const target = absolute(place.path)
  const folder = posix.dirname(target)
  const temporary = posix.join(folder, `.atelier-${randomToken(8)}`)
  const run = (script: string, ...args: string[]) =>
    runCommand(place, {
      argv: ['/bin/sh', '-c', script, 'sh', ...args],
      cwd: '/',
      limitMs: BOUNDS.sandboxLongCommand.limit,
    })
  try {
    const sent = await pipeToFile(place, content, { argv: ['/bin/sh', '-c', RECEIVE, 'sh', folder, temporary], signal })
    const placed = await run(onlyNew ? PLACE_NEW : PLACE, temporary, target)
    if (onlyNew && placed.exitCode === TAKEN)
      throw new AppError('conflict', `There is something at ${place.path} already.`)
    if (placed.exitCode === 21) throw new AppError('bad_request', `${place.path} is a folder. Name a file.`)
    if (placed.exitCode !== 0) throw failed(place.path, placed.stderr)
    return sent
  } catch (error) {
    await run('rm -f -- "$1" "$1.m"', temporary).catch(() => {})
    throw error
  }
}

async function pipeToFile(
  place: ContainerFiles,
  content: AsyncIterable<Buffer>,
  request: { argv: string[]; signal: AbortSignal },
): Promise<number> {
  const process = await startProcess(place, { ...request, cwd: '/', env: {}, stdin: true })
  const { stream } = process
  let stopped: AppError | undefined
  const stop = (why: string) => {
    stopped ??= commandStopped(why)
    void process.stop('TERM')
  }
  const { limit } = BOUNDS.sandboxCommand
  const idle = setTimeout(() => stop(`took nothing for ${limit / 1000} s`), limit)
  const onExcess = () => stop('wrote too much')
  const said = Promise.all([
    collect(stream.stdout, { limit: MAX_ERROR_LENGTH, onExcess }),
    collect(stream.stderr, { limit: MAX_ERROR_LENGTH, onExcess }),
  ])
  said.catch(() => {})
  let sent = 0
  try {
    for await (const chunk of content) {
      request.signal.throwIfAborted()
      sent += chunk.length
      await stream.write(chunk)
      if (stopped) throw stopped
      idle.refresh()
    }
    stream.endInput()
    const [arrived, problem] = await said
    if (stopped) throw stopped
    if (problem.trim() !== '') throw new AppError('bad_request', failed(place.path, problem).message)
    // A connection that broke looks like the end of the file.
    if (Number(arrived.trim() || -1) !== sent) throw failed(place.path, problem)
    return sent
  } catch (error) {
    await process.stop('TERM')
    throw error
  } finally {
    clearTimeout(idle)
    stream.close()
  }
}

const MAX_ERROR_LENGTH = 4096

function failed(path: string, problem: string): AppError {
  return new AppError('command_failed', `${path} could not be written: ${problem.trim() || 'it was cut off'}`)
}

/**
 * A file's bytes as they come, all of them or a range. Whoever opens it reads it to the end or destroys it.
 * @throws AppError file_not_found, bad_request
 */
export async function sendFile(place: ContainerFiles, rangeOf: RangeOf = whole): Promise<SentFile> {
  const found = await resolve(place)
  if (!found) throw new AppError('file_not_found', `There is no file ${place.path} in the sandbox. Check the path.`)
  if (found.stat.kind !== 'file') throw new AppError('bad_request', `${place.path} is not a file. Name a file.`)
  if (isMounted(found.path)) {
    const read = await readFile(place, BOUNDS.mountedFile.limit)
    const range = rangeOf(read.length)
    const content = Readable.from([read.subarray(range.start, range.start + range.length)])
    return { sizeBytes: read.length, range, content }
  }
  const { sizeBytes } = found.stat
  const range = rangeOf(sizeBytes)
  const streamed = await streamFile(place, found.path, range)
  return streamed ? { sizeBytes, range, content: streamed } : sendArchived(place, found.path, rangeOf)
}

interface SentFile {
  sizeBytes: number
  range: ByteRange
  content: Readable
}

type RangeOf = (sizeBytes: number) => ByteRange

const whole: RangeOf = length => ({ start: 0, length })

async function sendArchived(place: ContainerFiles, path: string, rangeOf: RangeOf): Promise<SentFile> {
  const archive = await place.engine.getArchive(place.containerId, path)
  const unpacked = entriesOf(archive)
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => {
      archive.destroy()
      reject(error)
    }
    unpacked.on('error', refuse)
    unpacked.on('finish', () =>
      refuse(new AppError('file_not_found', `There is no file ${place.path} in the sandbox. Check the path.`)),
    )
    unpacked.on('entry', (header, content) => {
      content.on('close', () => archive.destroy())
      const sizeBytes = header.size ?? 0
      const range = rangeOf(sizeBytes)
      resolve({ sizeBytes, range, content: Readable.from(part(Readable.from(content), range)) })
    })
  })
}

async function* part(content: AsyncIterable<Buffer>, { start, length }: ByteRange): AsyncGenerator<Buffer> {
  let [skip, left] = [start, length]
  for await (const chunk of content) {
    const kept = chunk.subarray(skip, skip + left)
    skip = Math.max(0, skip - chunk.length)
    left -= kept.length
    if (kept.length > 0) yield kept
    if (left === 0) return
  }
}
