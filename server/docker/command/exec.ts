import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import { isAppError } from '../../domain/errors.ts'
import type { Client } from '../client.ts'
import type { ExecRequest, ExecStream } from '../engine.ts'
import { engineError, statusOf, systemCode, translateErrors } from '../errors.ts'
import { outputOf } from './stream.ts'

/** After its output has ended, a process is gone within milliseconds, unless it closed its output and goes on. */
const FIRST_WAIT_MS = 2
const MAX_WAIT_MS = 500
/** How long a process that took no more input may need to end. */
const REFUSED_MS = 2_000

/**
 * One process in a container, over a hijacked connection. A request without `stdin` gets none: the process reads end of
 * file. Arguments are visible in the engine's events and inspection, the environment is not.
 */
export async function startExec(
  { docker: client, breaks }: Pick<Client, 'docker' | 'breaks'>,
  containerId: string,
  request: ExecRequest,
): Promise<ExecStream> {
  request.signal?.throwIfAborted()
  const tty = request.tty !== undefined
  const input = request.stdin === true || tty
  return translateErrors('Running a command', async () => {
    const exec = await client.getContainer(containerId).exec(createOptions(request, tty, input))
    const socket = await exec.start({ hijack: true, stdin: input, Tty: tty })
    return execStream(exec, socket, { tty, input, breaks, signal: request.signal })
  })
}

function createOptions(request: ExecRequest, tty: boolean, input: boolean): Docker.ExecCreateOptions {
  return {
    Cmd: request.argv,
    AttachStdin: input,
    AttachStdout: true,
    AttachStderr: true,
    Tty: tty,
    Env: Object.entries(request.env ?? {}).map(([name, value]) => `${name}=${value}`),
    ...(request.cwd !== undefined && { WorkingDir: request.cwd }),
    ...(request.user !== undefined && { User: request.user }),
    ...(request.tty && { ConsoleSize: [request.tty.rows, request.tty.cols] as [number, number] }),
    ...(request.signal && { abortSignal: request.signal }),
  }
}

interface StreamOptions {
  tty: boolean
  input: boolean
  breaks: () => number
  signal: AbortSignal | undefined
}

function execStream(exec: Docker.Exec, socket: Duplex, { tty, input, breaks, signal }: StreamOptions): ExecStream {
  const breaksBefore = breaks()
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const { stdout, stderr } = outputOf(socket, tty, begin)
  const close = () => {
    socket.destroy()
  }
  let isInputRefused = false
  // A broken connection shows as the end of the output; without a listener it would end the service.
  socket.on('error', error => {
    // Podman closes the connection of a process that has ended before it has read its input: a write that begins
    // after that fails, and one that was going on is reset.
    const code = systemCode(error)
    isInputRefused ||= input && (code === 'EPIPE' || (code === 'ECONNRESET' && socket.writableLength > 0))
  })
  signal?.addEventListener('abort', close, { once: true })
  // It may have come while the engine was starting the process.
  if (signal?.aborted) close()
  const ended = new Promise<void>(resolve => socket.once('close', resolve).once('end', resolve))
  const exitCode = ended.then(async () => {
    signal?.removeEventListener('abort', close)
    if (breaks() !== breaksBefore) return -1
    const isCutOff = socket.destroyed && !socket.readableEnded
    if (!isCutOff) return exitCodeOf(exec)
    return isInputRefused ? exitCodeOf(exec, REFUSED_MS) : -1
  })
  let asked: Promise<void> | undefined
  const askUntilBegun = () => {
    asked ??= Promise.race([begun, untilBegun(exec)]).then(begin)
    return asked
  }
  // The engine starts a process also when nobody listens to it any more.
  void ended.then(() => (socket.readableEnded ? begin() : askUntilBegun()))
  return {
    stdout,
    stderr,
    write: data => writeTo(socket, data),
    endInput: () => void socket.end(),
    resize: (cols, rows) => translateErrors('Resizing the terminal', () => resize(exec, cols, rows)),
    begun,
    untilBegun: askUntilBegun,
    exitCode,
    close,
  }
}

/** Podman answers "created" where Docker answers "OK". */
async function resize(exec: Docker.Exec, cols: number, rows: number): Promise<void> {
  await exec.resize({ w: cols, h: rows }).catch(error => {
    if (statusOf(error) !== 201) throw error
  })
}

/** Resolves when the bytes are handed over; a process that has ended takes none, which is no error. */
function writeTo(socket: Duplex, data: string | Buffer): Promise<void> {
  return new Promise(resolve => {
    if (socket.destroyed || socket.writableEnded) resolve()
    else socket.write(data, () => resolve())
  })
}

/** An engine that is gone, or does not know the process any more, starts nothing. */
async function untilBegun(exec: Docker.Exec): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
    try {
      const state = await exec.inspect()
      if (state.Pid > 0 || (!state.Running && state.ExitCode !== null)) return
    } catch (error) {
      const isGone = isAppError(engineError('Running a command', error), 'engine_unavailable')
      if (isGone || statusOf(error) === 404) return
    }
    await delay(wait)
  }
}

/** -1 when nobody knows: the container or the engine went away, or it goes on after `withinMs`. */
async function exitCodeOf(exec: Docker.Exec, withinMs = Number.POSITIVE_INFINITY): Promise<number> {
  const end = Date.now() + withinMs
  try {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
      const state = await exec.inspect()
      if (!state.Running && state.ExitCode !== null) return state.ExitCode
      if (Date.now() >= end) return -1
      await delay(wait)
    }
  } catch {
    return -1
  }
}
