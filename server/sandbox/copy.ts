import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unlessAborted } from '../async/unless-aborted.ts'
import { imageLabels, readLabels, type SandboxLabels } from '../docker/container/labels.ts'
import type { Engine } from '../docker/engine.ts'
import { AppError } from '../domain/errors.ts'
import { assertAllowed, type Sandbox } from './state.ts'

/** A sandbox that a new one begins as. */
export interface CopySource {
  containerId: string
  labels: SandboxLabels
  /** The image that is made of it, for the copy alone. */
  image: string
}

export function copyImage(copyId: string): string {
  return `atelier-copy:${copyId}`
}

/** @param copyId the sandbox that is to be @throws AppError sandbox_not_found, engine_unavailable, conflict */
export function copySource(sandbox: Sandbox | undefined, copyId: string): CopySource {
  const gone = () => new AppError('sandbox_not_found', 'The sandbox that was to be copied is gone. Start a new one.')
  if (!sandbox) throw gone()
  assertAllowed('copy', sandbox)
  const labels = sandbox.kind === 'container' ? readLabels(sandbox.container.labels) : undefined
  if (sandbox.kind !== 'container' || !labels) throw gone()
  return { containerId: sandbox.container.id, labels, image: copyImage(copyId) }
}

/** What programs write at that moment may be copied half, as they go on meanwhile. Made once, also for a second attempt. */
export async function makeImage(
  engine: Engine,
  { containerId, image, labels }: CopySource,
  { copyId, signal }: { copyId: string; signal: AbortSignal },
): Promise<void> {
  if (await engine.imageExists(image)) return
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

export interface MountedCopy {
  /** The new container, before it is started: nothing of it looks at what is still coming. */
  to: string
  /** What is mounted in both, by what their spec says. */
  shared: ReadonlySet<string>
  onBytes: (doneBytes: number) => void
  signal: AbortSignal
}

/** What the image lacks: volumes, and the folder of this machine that the other sandbox works in. */
export async function copyMounted(engine: Engine, from: string, copy: MountedCopy): Promise<void> {
  let done = 0
  // An ancestor comes with what is mounted in it.
  const paths = (await engine.mountedPaths(from)).filter(path => !copy.shared.has(path)).sort()
  const outermost = paths.filter(path => !paths.some(other => path.startsWith(`${other}/`)))
  for (const path of outermost) {
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        done += chunk.length
        copy.onBytes(done)
        next(null, chunk)
      },
    })
    const source = await engine.getArchive(from, path)
    const parent = path.slice(0, path.lastIndexOf('/')) || '/'
    await Promise.all([pipeline(source, counter, { signal: copy.signal }), engine.putArchive(copy.to, parent, counter)])
  }
}
