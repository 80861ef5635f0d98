import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Engine } from '../../docker/engine.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { CommandRequest, CommandResult } from '../../domain/sandbox-handle.ts'
import { connectionBroke, startProcess } from './process.ts'

const DEFAULT_MAX_BYTES = 2 ** 20

/**
 * Runs a command to its end, or to its time-out, limit or abort: then it is killed in the sandbox, with what it started.
 * @throws AppError command_stopped at its limit
 */
export async function runCommand(
  engine: Engine,
  containerId: string,
  request: CommandRequest & { cwd: string },
): Promise<CommandResult> {
  const { signal, timeoutMs, limitMs = BOUNDS.sandboxCommand.limit } = request
  signal?.throwIfAborted()
  const ending = new AbortController()
  const abort = () => ending.abort()
  let timedOut = false
  let stopped: AppError | undefined
  const late = () => {
    if (timeoutMs === undefined) stop(`took longer than ${limitMs / 1000} s`)
    timedOut = true
    abort()
  }
  const stop = (why: string) => {
    stopped ??= commandStopped(why)
    abort()
  }
  const timer = setTimeout(late, timeoutMs ?? limitMs)
  const onExcess = timeoutMs === undefined ? () => stop('wrote too much') : undefined
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const outcome = await follow(engine, containerId, { ...request, onExcess }, ending.signal)
    signal?.throwIfAborted()
    if (stopped) throw stopped
    if (timedOut) return { ...outcome, exitCode: -1, timedOut }
    if (outcome.exitCode === -1) throw connectionBroke()
    return { ...outcome, timedOut }
  } catch (error) {
    signal?.throwIfAborted()
    if (stopped) throw stopped
    if (timedOut) return { exitCode: -1, stdout: '', stderr: '', timedOut }
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

export function commandStopped(why: string): AppError {
  return new AppError(
    'command_stopped',
    `A command in the sandbox ${why} and was stopped. Look whether its programs, such as git and cat, still work there.`,
  )
}

async function follow(
  engine: Engine,
  containerId: string,
  request: CommandRequest & { cwd: string; onExcess: (() => void) | undefined },
  signal: AbortSignal,
): Promise<Omit<CommandResult, 'timedOut'>> {
  const { argv, cwd, env = {}, stdin, maxBytes = DEFAULT_MAX_BYTES, onOutput, onExcess } = request
  const process = await startProcess(engine, containerId, { argv, cwd, env, stdin: stdin !== undefined, signal })
  const { stream } = process
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= process.stop('TERM')
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    const outputs = [
      collect(stream.stdout, { limit: maxBytes, onExcess, onOutput: onOutput && (text => onOutput(text, 'stdout')) }),
      collect(stream.stderr, { limit: maxBytes, onExcess, onOutput: onOutput && (text => onOutput(text, 'stderr')) }),
    ] as const
    if (stdin !== undefined) void stream.write(stdin).then(() => stream.endInput())
    const [stdout, stderr] = await Promise.all(outputs)
    const exitCode = await stream.exitCode
    await stopping
    return { exitCode, stdout, stderr }
  } finally {
    signal.removeEventListener('abort', stop)
    stream.close()
  }
}

interface Collecting {
  limit: number
  onOutput?: ((text: string) => void) | undefined
  onExcess: (() => void) | undefined
}

/** Reads everything, keeps the first `limit` bytes; never half a character. Says when it is more than anything needs. */
export async function collect(stream: Readable, { limit, onOutput, onExcess }: Collecting): Promise<string> {
  const kept: Buffer[] = []
  let room = limit
  let read = 0
  let cut = false
  const live = new StringDecoder('utf8')
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (onOutput) onOutput(live.write(chunk))
    read += chunk.length
    if (read > BOUNDS.sandboxCommandOutput.limit) onExcess?.()
    if (chunk.length > room) cut = true
    if (room > 0) kept.push(chunk.subarray(0, room))
    room = Math.max(0, room - chunk.length)
  }
  const bytes = Buffer.concat(kept)
  return cut ? new StringDecoder('utf8').write(bytes) : bytes.toString()
}
