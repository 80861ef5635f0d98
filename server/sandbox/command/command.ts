import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Engine } from '../../docker/engine.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { CommandRequest, CommandResult } from '../../domain/sandbox-handle.ts'
import type { KeptShells } from './kept-shells.ts'
import { connectionBroke, startProcess } from './process.ts'

const DEFAULT_MAX_BYTES = 2 ** 20
const MAX_SCRIPT_INPUT = 2 ** 16

/** Where commands run. */
export interface CommandPlace {
  engine: Engine
  containerId: string
  shells: KeptShells
}

type PlacedRequest = CommandRequest & { cwd: string }

/**
 * Runs a command to its end, or to its time-out, limit or abort: then it is killed in the sandbox, with what it started.
 * @throws AppError command_stopped at its limit
 */
export async function runCommand(place: CommandPlace, request: PlacedRequest): Promise<CommandResult> {
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
    const follow = isShort(request) ? followInShell : followExec
    const outcome = await follow(place, { ...request, onExcess }, ending.signal)
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

/** What has no secret, and comes from us with an input that fits into a script: it shares a shell with those before it. */
function isShort({ env, stdin, isForeign }: CommandRequest): boolean {
  return env === undefined && !isForeign && (stdin === undefined || linesIn(stdin) !== undefined)
}

/** As a here-document can hold it: text without NUL whose last line, if there is one, has an end. */
function linesIn(stdin: string | Buffer): string | undefined {
  if (stdin.length > MAX_SCRIPT_INPUT) return undefined
  const text = stdin.toString()
  const isWhole = typeof stdin === 'string' || Buffer.from(text).equals(stdin)
  const isLines = text === '' || text.endsWith('\n')
  return isWhole && isLines && !text.includes('\0') ? text : undefined
}

type FollowedRequest = PlacedRequest & { onExcess: (() => void) | undefined }
type Outcome = Omit<CommandResult, 'timedOut'>

async function followInShell(place: CommandPlace, request: FollowedRequest, signal: AbortSignal): Promise<Outcome> {
  const shell = await place.shells.take(place.engine, place.containerId, signal)
  if (signal.aborted) {
    place.shells.giveBack(place.containerId, shell)
    return { exitCode: -1, stdout: '', stderr: '' }
  }
  const stopping = onceAborted(signal, () => shell.stop())
  try {
    const running = shell.run({ ...request, input: request.stdin && linesIn(request.stdin) })
    // It rejects where there is no such folder, which is known only when the outputs have ended.
    running.exitCode.catch(() => {})
    const [stdout, stderr] = await collectBoth(running, request)
    const exitCode = await running.exitCode
    await stopping.done()
    return { exitCode, stdout, stderr }
  } finally {
    stopping.forget()
    place.shells.giveBack(place.containerId, shell)
  }
}

async function followExec(place: CommandPlace, request: FollowedRequest, signal: AbortSignal): Promise<Outcome> {
  const { argv, cwd, env = {}, stdin } = request
  const process = await startProcess(place, { argv, cwd, env, stdin: stdin !== undefined, signal })
  const { stream } = process
  const stopping = onceAborted(signal, () => process.stop('TERM'))
  try {
    const outputs = collectBoth(stream, request)
    if (stdin !== undefined) void stream.write(stdin).then(() => stream.endInput())
    const [stdout, stderr] = await outputs
    const exitCode = await stream.exitCode
    await stopping.done()
    return { exitCode, stdout, stderr }
  } finally {
    stopping.forget()
    stream.close()
  }
}

/** Also when it was aborted before. `done` resolves when what was stopped has ended. */
function onceAborted(signal: AbortSignal, stop: () => Promise<void>) {
  let stopping: Promise<void> | undefined
  const listener = () => {
    stopping ??= stop()
  }
  if (signal.aborted) listener()
  else signal.addEventListener('abort', listener, { once: true })
  return { done: async () => stopping, forget: () => signal.removeEventListener('abort', listener) }
}

function collectBoth(
  { stdout, stderr }: { stdout: Readable; stderr: Readable },
  { maxBytes: limit = DEFAULT_MAX_BYTES, encoding, onOutput, onExcess }: FollowedRequest,
): Promise<[string, string]> {
  return Promise.all([
    collect(stdout, { limit, encoding, onExcess, onOutput: onOutput && (text => onOutput(text, 'stdout')) }),
    collect(stderr, { limit, encoding, onExcess, onOutput: onOutput && (text => onOutput(text, 'stderr')) }),
  ])
}

interface Collecting {
  limit: number
  encoding?: 'utf8' | 'latin1' | undefined
  onOutput?: ((text: string) => void) | undefined
  onExcess: (() => void) | undefined
}

/** Reads everything, keeps the first `limit` bytes; never half a character. Says when it is more than anything needs. */
export async function collect(stream: Readable, { limit, encoding, onOutput, onExcess }: Collecting): Promise<string> {
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
  return cut ? new StringDecoder(encoding).write(bytes) : bytes.toString(encoding)
}
