import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type Docker from 'dockerode'
import { z } from 'zod'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { BuildProgress, BuildRequest } from '../engine.ts'
import { engineError, engineMessage, statusOf } from '../errors.ts'
import { jsonLines } from '../json-lines.ts'
import { nextProgress, progressLine } from './pull.ts'

const buildLine = progressLine.extend({ stream: z.string().optional() })

const CPU_PERIOD_US = 100_000
/** The output of a step may come as fast as it can write. After so many characters the engine has to wait, and the step with it. */
const PACE_CHARACTERS = 256 * 1024
const PACE_MS = 25

/**
 * Builds an image with the engine's own builder, whose steps run in ordinary containers: they can join a network that stands
 * already, which no step can do with BuildKit.
 */
export async function buildImage(
  docker: Docker,
  request: BuildRequest,
  onProgress: (progress: BuildProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const lines = new LogLines(line => onProgress({ kind: 'line', line }))
  const layers = new Map<string, { done: number; total: number }>()
  try {
    // The engine ends a build, and removes its container, when its client goes away.
    const options = { ...buildOptions(request), abortSignal: signal }
    const stream = (await docker.buildImage(request.context, options as Docker.ImageBuildOptions)) as Readable
    let characters = 0
    for await (const each of jsonLines(stream)) {
      const { stream: output, ...line } = buildLine.parse(each)
      if (output !== undefined) lines.write(output)
      else if (line.error !== undefined) throw buildFailed(line.error)
      else if (line.id && line.status) onProgress({ kind: 'pull', ...nextProgress(layers, line) })
      else if (line.status) lines.write(`${line.status}\n`)
      characters += output?.length ?? 0
      if (characters < PACE_CHARACTERS) continue
      characters = 0
      await delay(PACE_MS, undefined, { signal })
    }
    signal.throwIfAborted()
  } catch (error) {
    signal.throwIfAborted()
    // What the engine refuses before the first step is its answer and not a part of the stream.
    throw statusOf(error) === undefined ? engineError('Building the image', error) : buildFailed(engineMessage(error))
  } finally {
    lines.end()
    request.context.destroy()
  }
}

function buildOptions(request: BuildRequest): Record<string, unknown> {
  const { reference, dockerfile, target, labels, buildArgs, network, memoryBytes, cpus } = request
  return {
    version: '1',
    dockerfile,
    t: reference,
    ...(target && { target }),
    labels: JSON.stringify(labels),
    buildargs: JSON.stringify(buildArgs),
    networkmode: network === 'none' ? 'none' : `container:${network.of}`,
    memory: memoryBytes,
    // Equal to the memory: no swap on top of it.
    memswap: memoryBytes,
    ...(cpus > 0 && { cpuperiod: CPU_PERIOD_US, cpuquota: Math.round(cpus * CPU_PERIOD_US) }),
    rm: true,
    forcerm: true,
  }
}

function buildFailed(said: string): AppError {
  const message = plainText(said).slice(0, BOUNDS.buildLogLine.limit).trim()
  return new AppError('image_build_failed', `The image could not be built. ${message}`)
}

/** Output in pieces, as lines without control characters and of a bounded length. */
class LogLines {
  readonly #onLine: (line: string) => void
  #rest = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  write(output: string): void {
    const lines = (this.#rest + output).split('\n')
    const rest = lines.pop() ?? ''
    for (const line of lines) this.#onLine(logLine(line))
    // A terminal would show what stands after the last carriage return; what is still to come may begin anew in the same way.
    this.#rest = rest.length > BOUNDS.buildLogLine.limit ? rest.slice(-BOUNDS.buildLogLine.limit) : rest
  }

  end(): void {
    if (this.#rest) this.#onLine(logLine(this.#rest))
    this.#rest = ''
  }
}

/** Progress bars write one line again and again: the last of what they wrote counts. */
function logLine(line: string): string {
  const shown = line.replace(/\r+$/, '')
  const last = shown.slice(shown.lastIndexOf('\r') + 1)
  return plainText(last.slice(0, BOUNDS.buildLogLine.limit))
}

/** Escape sequences of terminals would act on whoever prints the log; invisible characters would hide in it. */
function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Cf}]/gu, character => (character === '\t' ? '  ' : ''))
}
