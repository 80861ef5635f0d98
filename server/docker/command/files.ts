import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { timeLimit } from '../../async/time-limit.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { ExecRequest, ExecStream, PathStat } from '../engine.ts'
import { beginningOf } from './stream.ts'

/** What our scripts end with where nothing is at a path. */
const MISSING = 66

/** gVisor of 2022 refuses how coreutils 9 asks; `find` asks as before. */
const STAT = `[ -L "$1" ] || [ -e "$1" ] || exit ${MISSING}
stat -c '%f %s %y' -- "$1" 2>/dev/null ||
find "$1" -maxdepth 0 -printf '%y:%m %s %TY-%Tm-%Td %TH:%TM:%TS %Tz\\n' || exit 1
[ ! -L "$1" ] || { readlink -m -- "$1" 2>/dev/null || readlink -f -- "$1"; }`

/** A path with a slash at its end, and the root, are the folder itself. */
const GET = `[ -L "$1" ] || [ -e "$1" ] || exit ${MISSING}
exec tar -cf - -C "$2" -- "$3"`

const PUT = `[ -d "$1" ] || exit ${MISSING}
exec tar -xpf - -C "$1"`

/** Whoever owns a container owns its programs, and none of them need ever end. */
const FIRST_ANSWER_MS = 60_000

/** Starts a command in the container. */
export type Start = (request: ExecRequest) => Promise<ExecStream>

/*
 * Files of a container by what its image has, a shell and `tar`: for engines that do not carry files themselves, and for runtimes
 * that keep them from the engine.
 */

/** undefined when nothing is there. */
export async function statPath(start: Start, path: string): Promise<PathStat | undefined> {
  const argv = ['/bin/sh', '-c', STAT, 'sh', path]
  const stream = await start({ argv, cwd: '/', signal: timeLimit(FIRST_ANSWER_MS) })
  const [stdout, stderr] = await Promise.all([beginningOf(stream.stdout), saidOn(stream.stderr)])
  const exitCode = await stream.exitCode
  stream.close()
  if (exitCode === MISSING) return undefined
  if (exitCode !== 0) throw failed('Looking at a file', stderr || stdout)
  const [first = '', ...target] = stdout.split('\n')
  const [mode = '', size = '', day = '', time = '', zone = '+0000'] = first.split(' ')
  const [, letter = '', octal = ''] = /^(\w):(\d+)$/.exec(mode) ?? []
  const bits = octal ? (TYPES.get(letter) ?? 0) | Number.parseInt(octal, 8) : Number.parseInt(mode, 16)
  const modifiedAt = new Date(`${day}T${time.slice(0, 12)}${zone.slice(0, 3)}:${zone.slice(3)}`)
  return {
    kind: KINDS.get(bits & 0o170000) ?? 'other',
    sizeBytes: Number(size),
    mode: bits & 0o7777,
    modifiedAt: (Number.isNaN(modifiedAt.getTime()) ? new Date(0) : modifiedAt).toISOString(),
    target: target.join('\n').replace(/\n$/, '') || undefined,
  }
}

/** As `find` has them. */
const TYPES = new Map([
  ['f', 0o100000],
  ['d', 0o040000],
  ['l', 0o120000],
])

/** stat(2) */
const KINDS = new Map<number, PathStat['kind']>([
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'link'],
])

/** @throws AppError file_not_found, engine_failed; also where the archive or the program that takes it stands still */
export async function putArchive(start: Start, path: string, archive: Readable | Buffer): Promise<void> {
  const argv = ['/bin/sh', '-c', PUT, 'sh', path]
  const stream = await start({ argv, cwd: '/', stdin: true })
  const said = saidOn(stream.stderr)
  stream.stdout.resume()
  const source = Buffer.isBuffer(archive) ? Readable.from([archive]) : archive
  const { limit } = BOUNDS.sandboxCommand
  let stalled: AppError | undefined
  const idle = setTimeout(() => {
    stalled = failed('Writing files', `Nothing was taken for ${limit / 1000} s. Try again, or restart the sandbox.`)
    source.destroy(stalled)
    stream.close()
  }, limit)
  try {
    const isOver = stream.exitCode.then(() => true)
    for await (const chunk of source) {
      // One that has ended takes no more.
      if (await Promise.race([isOver, stream.write(chunk as Buffer).then(() => false)])) break
      idle.refresh()
    }
    stream.endInput()
    const exitCode = await stream.exitCode
    if (stalled) throw stalled
    if (exitCode === MISSING)
      throw new AppError('file_not_found', `Writing files failed: the folder ${path} does not exist.`)
    if (exitCode !== 0) throw failed('Writing files', await said)
  } finally {
    clearTimeout(idle)
    stream.close()
  }
}

export async function getArchive(start: Start, path: string): Promise<Readable> {
  const plain = path.replace(/\/+$/, '')
  const at = plain.lastIndexOf('/')
  const argv = ['/bin/sh', '-c', GET, 'sh', path, plain.slice(0, at) || '/', plain.slice(at + 1) || '.']
  const stream = await start({ argv, cwd: '/' })
  const said = saidOn(stream.stderr)
  const late = { signal: timeLimit(FIRST_ANSWER_MS) }
  try {
    await Promise.race([once(stream.stdout, 'readable', late), stream.exitCode])
  } catch {
    stream.close()
    throw failed('Reading files', 'The sandbox did not answer in time. Try again, or restart it.')
  }
  if (stream.stdout.readableLength === 0 && (await stream.exitCode) !== 0) {
    if ((await stream.exitCode) === MISSING)
      throw new AppError('file_not_found', `Reading files failed: ${path} does not exist.`)
    throw failed('Reading files', await said)
  }
  return delivered(stream, said)
}

/** Its end is that of the archive only where the program says so. One that stands still, or whose reader does, is cut off. */
function delivered(stream: ExecStream, said: Promise<string>): Readable {
  const archive = new PassThrough()
  const { limit } = BOUNDS.stalledDownload
  const late = failed('Reading files', `Nothing was handed over for ${limit / 1000} s. Try again.`)
  const idle = setTimeout(() => archive.destroy(late), limit)
  const whole = async function* () {
    for await (const chunk of stream.stdout) {
      yield chunk
      idle.refresh()
    }
    if ((await stream.exitCode) !== 0) throw failed('Reading files', await said)
  }
  // It is waited for, which what a generator waits for would hold up.
  archive.once('close', () => {
    clearTimeout(idle)
    stream.close()
  })
  pipeline(Readable.from(whole()), archive).catch(() => {})
  return archive
}

const MAX_SAID = 2000

async function saidOn(stream: Readable): Promise<string> {
  return (await beginningOf(stream, MAX_SAID)).slice(0, MAX_SAID).trim()
}

function failed(what: string, said: string): AppError {
  const text = said.trim() || 'The connection to the sandbox broke.'
  return new AppError('engine_failed', `${what} failed. ${text}`)
}
