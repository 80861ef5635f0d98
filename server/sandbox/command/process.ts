import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { timeLimit } from '../../async/time-limit.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { Engine, ExecStream } from '../../docker/engine.ts'
import { AppError, isAppError } from '../../domain/errors.ts'

/**
 * Says the process id on the first line of stderr (with a TTY: of the only stream), then becomes the command. The engine
 * makes each exec a session of its own, so that this id is also its session's, and everything that the command starts,
 * job control or not, can be found by it later.
 */
const LAUNCH = 'cd -- "$1" 2>/dev/null || { echo "!cwd" >&2; exit 126; }; shift; echo "$$" >&2; exec "$@"'

/** Sends signal $2 to every process of session $1. Builtins only; in `stat`, the name is in parentheses and may hold anything. */
const SIGNAL_SESSION = `
for f in /proc/[0-9]*/stat; do
  IFS= read -r line 2>/dev/null <"$f" || continue
  pid=\${f#/proc/}; pid=\${pid%/stat}
  set -- "$1" "$2" \${line##*) }
  [ "$6" = "$1" ] && kill -s "$2" "$pid" 2>/dev/null
done
exit 0`

/** How long a process may take to end by itself, then how long the engine may take to notice that it was killed. */
const GRACE_MS = 2000
const KILLED_MS = 3000
/** An engine that holds the sandbox answers no sooner than it lets it go. */
const SIGNAL_MS = 5000
/** How long an engine may take to hear that a sandbox has ended, and how often it is asked. */
const STOPPING_MS = 1000
const STOPPING_POLL_MS = 50

export interface ProcessPlace {
  engine: Engine
  containerId: string
  /** Where a shell waits for a command, it signals a process at a small part of what an exec costs. */
  shells?: { runIdle(containerId: string, argv: string[]): Promise<boolean> }
}

export interface ProcessRequest {
  argv: string[]
  cwd: string
  env: Record<string, string>
  stdin: boolean
  tty?: { cols: number; rows: number }
  /** Gives the start up. A process that has begun is the caller's to stop. */
  signal?: AbortSignal
}

export interface SandboxProcess {
  readonly stream: ExecStream
  /** In the sandbox; also that of its session. */
  readonly pid: number
  /**
   * Ends the process and what it started: asks first, then kills. A shell that goes on when it is asked is killed once the
   * `command` in it has ended. Always resolves, with the stream closed.
   */
  stop(first: 'TERM' | 'HUP', command?: Promise<unknown>): Promise<void>
}

/** @throws AppError file_not_found when `cwd` is no folder, command_failed when the image has no /bin/sh, sandbox_not_running */
export async function startProcess(place: ProcessPlace, request: ProcessRequest): Promise<SandboxProcess> {
  const { engine, containerId } = place
  const asked = {
    argv: ['/bin/sh', '-c', LAUNCH, 'sh', request.cwd, ...request.argv],
    env: request.env,
    stdin: request.stdin,
    ...(request.tty && { tty: request.tty }),
  }
  const starting = engine.exec(containerId, asked)
  const stream = await withAbortGrace(starting, request.signal).catch(async error => {
    if (request.signal?.aborted) void stopLateProcess(place, starting, request)
    // For a container that is being removed the engine has no status of its own.
    throw isAppError(error, 'engine_failed') && (await stopsRunning(engine, containerId)) ? connectionBroke() : error
  })
  const header = await headerOf(stream, request)
  if (/^\d+$/.test(header)) {
    const stop: SandboxProcess['stop'] = (first, command) =>
      stopProcess({ place, stream, session: header }, first, command)
    return { stream, pid: Number(header), stop }
  }
  const problem = await startFailure(stream, header, request.cwd)
  throw problem.code === 'command_failed' && (await stopsRunning(engine, containerId)) ? connectionBroke() : problem
}

/**
 * An abort waits a little: with the process id, what was started can be stopped. A sandbox that was paused in this very
 * moment says nothing for as long as it is, and its engine may not even answer.
 */
async function withAbortGrace<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const givenUp = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const giveUp = () => {
    timer = setTimeout(() => givenUp.abort(signal?.reason), GRACE_MS)
  }
  if (signal?.aborted) giveUp()
  else signal?.addEventListener('abort', giveUp, { once: true })
  try {
    return await unlessAborted(promise, givenUp.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

async function headerOf(stream: ExecStream, { tty, signal }: ProcessRequest): Promise<string> {
  const header = firstLine(tty ? stream.stdout : stream.stderr)
  return withAbortGrace(header, signal).catch(() => {
    stream.close()
    return header
  })
}

/** What begins only after it was given up is ended as soon as it has said who it is. Never rejects. */
async function stopLateProcess(
  place: ProcessPlace,
  starting: Promise<ExecStream>,
  { tty }: ProcessRequest,
): Promise<void> {
  try {
    const stream = await starting
    const session = await firstLine(tty ? stream.stdout : stream.stderr)
    if (/^\d+$/.test(session)) await stopProcess({ place, stream, session }, 'HUP')
    stream.close()
  } catch {
    // It never began.
  }
}

async function startFailure(stream: ExecStream, header: string, cwd: string): Promise<AppError> {
  if (header === '!cwd') {
    stream.close()
    return folderNotFound(cwd)
  }
  stream.stderr.resume()
  const said = `${header} ${await text(stream.stdout)}`.trim()
  if ((await stream.exitCode) === -1) return connectionBroke()
  return new AppError('command_failed', `The command could not be started in the sandbox. ${said}`)
}

export function folderNotFound(cwd: string): AppError {
  return new AppError('file_not_found', `The folder ${cwd} does not exist in the sandbox. Name one that does.`)
}

/**
 * Whether the sandbox is why a command could not be started: it can be paused between the making of a command and its
 * start, and one that was killed goes on "running" until the engine has heard of it. The engine then answers as if the
 * command had spoken.
 */
async function stopsRunning(engine: Engine, containerId: string): Promise<boolean> {
  for (const end = Date.now() + STOPPING_MS; ; await delay(STOPPING_POLL_MS)) {
    if ((await engine.inspectContainer(containerId))?.status !== 'running') return true
    if (Date.now() > end) return false
  }
}

/** For a command whose stream ended without an exit code. */
export function connectionBroke(): AppError {
  const message =
    'The command was cut off: the sandbox stopped, or its engine did. Resume the sandbox and run it again.'
  return new AppError('sandbox_not_running', message)
}

interface Session {
  place: ProcessPlace
  stream: ExecStream
  session: string
}

async function stopProcess(process: Session, first: 'TERM' | 'HUP', command?: Promise<unknown>): Promise<void> {
  const { place, stream, session } = process
  try {
    await signalSession(place, session, first)
    if ((await isWithin(GRACE_MS, command ?? stream.exitCode)) && !command) return
    await signalSession(place, session, 'KILL')
    await isWithin(KILLED_MS, stream.exitCode)
  } catch {
    // The sandbox is paused or gone, or the engine is: there is nothing left to signal.
  } finally {
    stream.close()
  }
}

async function signalSession(place: ProcessPlace, session: string, signal: string): Promise<void> {
  const { engine, containerId, shells } = place
  const argv = ['/bin/sh', '-c', SIGNAL_SESSION, 'sh', session, signal]
  const late = timeLimit(SIGNAL_MS)
  if (await unlessAborted(shells?.runIdle(containerId, argv) ?? Promise.resolve(false), late)) return
  const stream = await unlessAborted(engine.exec(containerId, { argv, signal: late }), late)
  stream.stdout.resume()
  stream.stderr.resume()
  await stream.exitCode
}

async function isWithin(milliseconds: number, end: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController()
  const late = delay(milliseconds, false, { signal: waiting.signal }).catch(() => false)
  try {
    return await Promise.race([end.then(() => true), late])
  } finally {
    waiting.abort()
  }
}

/** Reads through the first line feed and leaves the rest in the stream. */
async function firstLine(stream: Readable): Promise<string> {
  let bytes: Buffer = Buffer.alloc(0)
  while (!stream.readableEnded && !stream.destroyed) {
    const chunk: Buffer | null = stream.read()
    if (chunk === null) {
      await Promise.race([once(stream, 'readable'), once(stream, 'end'), once(stream, 'close')])
      continue
    }
    bytes = Buffer.concat([bytes, chunk])
    const end = bytes.indexOf(0x0a)
    if (end === -1) continue
    if (end + 1 < bytes.length) stream.unshift(bytes.subarray(end + 1))
    return bytes.subarray(0, end).toString().trim()
  }
  return bytes.toString().trim()
}
