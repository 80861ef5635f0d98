import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
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

/**
 * Writes a file as it arrives, however large: nothing of it stays in memory. It takes the place of the old one in one
 * step, and only as a whole. @throws AppError command_failed, command_stopped, bad_request for a place where no file can be
 */
export async function receiveFile(
  place: ContainerFiles,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
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
    const placed = await run(PLACE, temporary, target)
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
  const process = await startProcess(place.engine, place.containerId, { ...request, cwd: '/', env: {}, stdin: true })
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

/** A file's bytes as they come. Whoever opens it reads it to the end or destroys it. @throws AppError file_not_found, bad_request */
export async function sendFile(place: ContainerFiles): Promise<{ sizeBytes: number; content: Readable }> {
  const found = await resolve(place)
  if (!found) throw new AppError('file_not_found', `There is no file ${place.path} in the sandbox. Check the path.`)
  if (found.stat.kind !== 'file') throw new AppError('bad_request', `${place.path} is not a file. Name a file.`)
  if (isMounted(found.path)) {
    const content = await readFile(place, BOUNDS.mountedFile.limit)
    return { sizeBytes: content.length, content: Readable.from([content]) }
  }
  const { sizeBytes } = found.stat
  const streamed = await streamFile(place, found.path, sizeBytes)
  return streamed ? { sizeBytes, content: streamed } : sendArchived(place, found.path)
}

async function sendArchived(place: ContainerFiles, path: string): Promise<{ sizeBytes: number; content: Readable }> {
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
      resolve({ sizeBytes: header.size ?? 0, content: Readable.from(content) })
    })
  })
}
