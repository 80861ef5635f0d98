import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Engine } from '../docker/engine.ts'
import type { CommandRequest, CommandResult } from './handle.ts'
import { brokenOff, startProcess } from './process.ts'

const DEFAULT_MAX_BYTES = 2 ** 20

/** Runs a command to its end, or to its time-out or abort: then it is killed in the sandbox, with what it started. */
export async function runCommand(
  engine: Engine,
  containerId: string,
  request: CommandRequest & { cwd: string },
): Promise<CommandResult> {
  const { signal, timeoutMs, stdin } = request
  signal?.throwIfAborted()
  const process = await startProcess(engine, containerId, {
    argv: request.argv,
    cwd: request.cwd,
    env: request.env ?? {},
    stdin: stdin !== undefined,
  })
  let stopping: Promise<void> | undefined
  let timedOut = false
  const stop = () => {
    stopping ??= process.stop('TERM')
  }
  const late = () => {
    timedOut = true
    stop()
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs)
  signal?.addEventListener('abort', stop, { once: true })
  // The abort may have come while the process was being started.
  if (signal?.aborted) stop()
  try {
    const { stream } = process
    const limit = request.maxBytes ?? DEFAULT_MAX_BYTES
    const outputs = Promise.all([
      collect(stream.stdout, limit, request.onOutput),
      collect(stream.stderr, limit, request.onOutput),
    ])
    if (stdin !== undefined) void stream.write(stdin).then(() => stream.endInput())
    const [stdout, stderr] = await outputs
    const exitCode = await stream.exitCode
    await stopping
    signal?.throwIfAborted()
    if (timedOut) return { exitCode: -1, stdout, stderr, timedOut }
    if (exitCode === -1) throw brokenOff()
    return { exitCode, stdout, stderr, timedOut }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    process.stream.close()
  }
}

/** Reads everything, keeps the first `limit` bytes; never half a character. */
async function collect(stream: Readable, limit: number, onOutput?: (text: string) => void): Promise<string> {
  const kept: Buffer[] = []
  let room = limit
  let cut = false
  const live = new StringDecoder('utf8')
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (onOutput) onOutput(live.write(chunk))
    if (chunk.length > room) cut = true
    if (room > 0) kept.push(chunk.subarray(0, room))
    room = Math.max(0, room - chunk.length)
  }
  const bytes = Buffer.concat(kept)
  return cut ? new StringDecoder('utf8').write(bytes) : bytes.toString()
}
