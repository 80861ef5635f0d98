import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { ExecRequest, ExecStream } from '../engine.ts'
import { translateErrors } from '../errors.ts'
import { outputOf } from './stream.ts'

/** After its output has ended, a process is gone within milliseconds, unless it closed its output and goes on. */
const FIRST_WAIT_MS = 2
const MAX_WAIT_MS = 500

/**
 * One process in a container, over a hijacked connection. A request without `stdin` gets none: the process reads end of
 * file. Arguments are visible in the engine's events and inspection, the environment is not.
 */
export async function startExec(client: Docker, containerId: string, request: ExecRequest): Promise<ExecStream> {
  request.signal?.throwIfAborted()
  const tty = request.tty !== undefined
  const input = request.stdin === true || tty
  return translateErrors('Running a command', async () => {
    const exec = await client.getContainer(containerId).exec(createOptions(request, tty, input))
    const socket = await exec.start({ hijack: true, stdin: input, Tty: tty })
    return execStream(exec, socket, tty, request.signal)
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

function execStream(exec: Docker.Exec, socket: Duplex, tty: boolean, signal?: AbortSignal): ExecStream {
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const { stdout, stderr } = outputOf(socket, tty, begin)
  const close = () => {
    socket.destroy()
  }
  // A broken connection shows as the end of the output; without a listener it would end the service.
  socket.on('error', () => {})
  signal?.addEventListener('abort', close, { once: true })
  // It may have come while the engine was starting the process.
  if (signal?.aborted) close()
  const ended = new Promise<void>(resolve => socket.once('close', resolve).once('end', resolve))
  const exitCode = ended.then(() => {
    signal?.removeEventListener('abort', close)
    return socket.destroyed && !socket.readableEnded ? -1 : exitCodeOf(exec)
  })
  return {
    stdout,
    stderr,
    write: data => writeTo(socket, data),
    endInput: () => void socket.end(),
    resize: (cols, rows) => translateErrors('Resizing the terminal', () => exec.resize({ w: cols, h: rows })),
    begun: Promise.race([begun, ended]),
    exitCode,
    close,
  }
}

/** Resolves when the bytes are handed over; a process that has ended takes none, which is no error. */
function writeTo(socket: Duplex, data: string | Buffer): Promise<void> {
  return new Promise(resolve => {
    if (socket.destroyed || socket.writableEnded) resolve()
    else socket.write(data, () => resolve())
  })
}

async function exitCodeOf(exec: Docker.Exec): Promise<number> {
  try {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
      const state = await exec.inspect()
      if (!state.Running && state.ExitCode !== null) return state.ExitCode
      await delay(wait)
    }
  } catch {
    // The container or the engine went away in the meantime: nobody knows how the process ended.
    return -1
  }
}
