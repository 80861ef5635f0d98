import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { NetworkPolicy } from '../api/network-policy.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import { copyImage, imageLabels, readLabels, type SandboxLabels } from '../docker/container/labels.ts'
import type { ContainerState, Engine } from '../docker/engine.ts'
import { AppError } from '../domain/errors.ts'
import { streamArchive } from './files/streamed.ts'
import { assertAllowed, type Sandbox } from './state.ts'

/** A sandbox that a new one begins as. */
export interface CopySource {
  containerId: string
  /** Whether programs can run in it. */
  isRunning: boolean
  labels: SandboxLabels
  policy: NetworkPolicy
  /** The image that is made of it, for the copy alone. */
  image: string
}

/** @param copyId the sandbox that is to be @throws AppError sandbox_not_found, engine_unavailable, conflict */
export function copySource(
  sandbox: Sandbox | undefined,
  copyId: string,
  policyOf: (container: ContainerState) => NetworkPolicy,
): CopySource {
  const gone = () => new AppError('sandbox_not_found', 'The sandbox that was to be copied is gone. Start a new one.')
  if (!sandbox) throw gone()
  assertAllowed('copy', sandbox)
  const labels = sandbox.kind === 'container' ? readLabels(sandbox.container.labels) : undefined
  if (sandbox.kind !== 'container' || !labels) throw gone()
  const { id: containerId, status } = sandbox.container
  const policy = policyOf(sandbox.container)
  return { containerId, isRunning: status === 'running', labels, policy, image: copyImage(copyId) }
}

/** What programs write at that moment may be copied half, as they go on meanwhile. Made once, also for a second attempt. */
export async function makeImage(
  engine: Engine,
  { containerId, image, labels }: CopySource,
  { copyId, signal }: { copyId: string; signal: AbortSignal },
): Promise<void> {
  if (await engine.image(image)) return
  const wanted = { reference: image, labels: imageLabels(labels.instanceId, copyId) }
  const making = engine.commitContainer(containerId, wanted)
  try {
    await unlessAborted(making, signal)
  } catch (error) {
    // The engine ends what it has begun.
    void making.then(() => engine.removeImage(image)).catch(() => {})
    throw error
  }
}

/**
 * What the image lacks: volumes, and the folder of this machine that the other sandbox works in. What its spec mounts is left
 * out: a copy has what the spec mounts now.
 * @param shared what is mounted in the copy
 * @throws AppError conflict where one lies in the other: it would be written to what is shared
 */
export async function pathsToCopy(engine: Engine, source: CopySource, shared: readonly string[]): Promise<string[]> {
  const { specMounts = shared } = source.labels
  const own = (await engine.mountedPaths(source.containerId)).filter(path => !specMounts.includes(path)).sort()
  const lie = (one: string, other: string) => one === other || one.startsWith(`${other}/`)
  const overlap = own.find(path => [...shared, ...specMounts].some(other => lie(path, other) || lie(other, path)))
  if (overlap !== undefined) {
    const what = `${overlap} and a mount of the sandbox spec lie in one another, so this sandbox cannot be copied.`
    throw new AppError('conflict', `${what} Fork within it, or give the spec's mount another place.`)
  }
  // An ancestor comes with what is mounted in it.
  return own.filter(path => !own.some(other => other !== path && lie(path, other)))
}

export interface MountedCopy {
  paths: readonly string[]
  /** The new container, before it is started: nothing of it looks at what is still coming. */
  to: string
  onBytes: (doneBytes: number) => void
  signal: AbortSignal
}

/** One path after the other. */
export async function copyMounted(engine: Engine, source: CopySource, copy: MountedCopy): Promise<void> {
  let done = 0
  const count = (bytes: number) => {
    done += bytes
    copy.onBytes(done)
  }
  for (const path of copy.paths) await copyPath(engine, source, { ...copy, path, count })
}

async function copyPath(
  engine: Engine,
  { containerId, isRunning }: CopySource,
  { path, to, count, signal }: MountedCopy & { path: string; count: (bytes: number) => void },
): Promise<void> {
  // An archive of the engine locks the container until it was read, which only one that does not run can bear.
  const archive = isRunning ? await streamArchive({ engine, containerId, path }) : undefined
  const source = archive ?? (await engine.getArchive(containerId, path))
  const stop = new AbortController()
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      count(chunk.length)
      next(null, chunk)
    },
  })
  const parent = path.slice(0, path.lastIndexOf('/')) || '/'
  try {
    await Promise.all([
      pipeline(source, counter, { signal: AbortSignal.any([signal, stop.signal]) }),
      engine.putArchive(to, parent, counter),
    ])
  } finally {
    stop.abort()
    source.destroy()
  }
}
