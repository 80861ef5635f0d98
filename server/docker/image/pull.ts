import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { z } from 'zod'
import { isImageReference } from '../../api/v1/sandbox/image-reference.ts'
import { AppError } from '../../domain/errors.ts'
import type { Machine } from '../candidates.mjs'
import type { PullProgress } from '../engine.ts'
import { engineError, engineMessage, statusOf } from '../errors.ts'
import { jsonLines } from '../json-lines.ts'
import { type RegistryLogin, registryLogin, registryOf } from './registry-login.ts'

export const progressLine = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional(), total: z.number().optional() }).optional(),
})
type ProgressLine = z.output<typeof progressLine>

export interface PullOptions {
  onProgress(progress: PullProgress): void
  /** Whose logins count. */
  machine: Machine
  signal?: AbortSignal | undefined
}

/** As `docker pull` does, with what `docker login` has kept. @throws AppError image_pull_failed, engine_unavailable */
export async function pull(
  client: Docker,
  reference: string,
  { onProgress, machine, signal }: PullOptions,
): Promise<void> {
  if (!isImageReference(reference)) throw pullError(reference, new RegistryError('invalid reference format'))
  const layers = new Map<string, { done: number; total: number }>()
  const login = await registryLogin(reference, machine, signal)
  try {
    // The engine cancels a pull when its client goes away.
    const options = { ...(login.auth && { authconfig: login.auth }), ...(signal && { abortSignal: signal }) }
    const stream = (await client.pull(reference, options)) as Readable
    const stop = () => stream.destroy()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      for await (const line of jsonLines(stream)) onProgress(nextProgress(layers, progressLine.parse(line)))
    } finally {
      signal?.removeEventListener('abort', stop)
    }
    signal?.throwIfAborted()
  } catch (error) {
    signal?.throwIfAborted()
    throw pullError(reference, error, login)
  }
}

/** The sum over all layers seen so far; the total grows while layers are announced. */
export function nextProgress(layers: Map<string, { done: number; total: number }>, line: ProgressLine): PullProgress {
  if (line.error !== undefined) throw new RegistryError(line.error)
  const { current, total } = line.progressDetail ?? {}
  if (line.id && line.status === 'Downloading' && current !== undefined && total !== undefined) {
    layers.set(line.id, { done: current, total })
  }
  const layer = line.id ? layers.get(line.id) : undefined
  if (layer && (line.status === 'Download complete' || line.status === 'Pull complete')) layer.done = layer.total
  let doneBytes = 0
  let totalBytes = 0
  for (const each of layers.values()) {
    doneBytes += each.done
    totalBytes += each.total
  }
  return { doneBytes, totalBytes, status: line.status ?? '' }
}

/** What a registry refused; the engine passes it on as text, in the middle of a stream or as its answer. */
class RegistryError extends Error {}

const REASONS: readonly { reason: string; pattern: RegExp; advice: string }[] = [
  {
    reason: 'offline',
    pattern:
      /no such host|dial tcp|i\/o timeout|connection refused|network is unreachable|TLS handshake|server misbehaving|Client\.Timeout|request canceled|\bEOF\b/i,
    advice: 'The registry cannot be reached. Check the network, or choose an image that this machine has already.',
  },
  {
    reason: 'not_found',
    pattern: /manifest unknown|not found|does not exist|invalid reference format|repository name/i,
    advice: 'There is no such image. Check its name and tag in Settings.',
  },
  {
    reason: 'denied',
    pattern:
      /denied|unauthorized|authentication required|auth credentials|username or password|forbidden|toomanyrequests/i,
    advice: 'The registry refuses it.',
  },
]

/** What a person does about a registry that wants to know them. */
function loginAdvice(reference: string, { auth, problem }: RegistryLogin): string {
  const command = `"docker login ${registryOf(reference)}"`
  if (problem) return `${problem} Repair it, or log in anew with ${command} in a terminal, then try again.`
  if (auth) return `Log in anew with ${command} in a terminal, or ask for an account that may read it.`
  return `Log in with ${command} in a terminal, then try again.`
}

function pullError(reference: string, error: unknown, login: RegistryLogin = {}): Error {
  const refused = error instanceof RegistryError || statusOf(error) !== undefined
  if (!refused) return engineError(`Pulling ${reference}`, error)
  const said = error instanceof RegistryError ? error.message : engineMessage(error)
  // "pull access denied … repository does not exist" is how a registry says both; the login hint is the useful half.
  const kind =
    (/pull access denied/i.test(said) ? REASONS.find(each => each.reason === 'denied') : undefined) ??
    REASONS.find(each => each.pattern.test(said))
  const next = kind?.reason === 'denied' ? ` ${loginAdvice(reference, login)}` : ''
  const advice = `${kind?.advice ?? 'Try again, or choose another image in Settings.'}${next}`
  const message = `The image ${reference} could not be pulled. ${advice} (${said})`
  return new AppError('image_pull_failed', message, {
    details: { reference, reason: kind?.reason ?? 'other' },
    cause: error,
  })
}
