import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { ContainerOutcome } from '../engine.ts'
import { removeObject } from '../objects.ts'
import { beginningOf, outputOf } from './stream.ts'

/** It is listened to before it starts: an engine removes what has ended, with its exit code and its output. */
export async function runToEnd(docker: Docker, id: string, signal: AbortSignal): Promise<ContainerOutcome> {
  const container = docker.getContainer(id)
  let removal: Promise<unknown> | undefined
  const remove = () => {
    removal ??= removeObject(docker, { kind: 'container', id }).catch(() => {})
  }
  signal.addEventListener('abort', remove, { once: true })
  try {
    signal.throwIfAborted()
    const socket = await container.attach({ stream: true, stdout: true, stderr: true })
    const ended = container.wait({ condition: 'next-exit' }) as Promise<{ StatusCode: number }>
    const { stdout, stderr } = outputOf(socket as unknown as Readable, false)
    const [, outcome, out, err] = await Promise.all([
      container.start(),
      ended,
      beginningOf(stdout),
      beginningOf(stderr),
    ])
    signal.throwIfAborted()
    return { exitCode: outcome.StatusCode, stdout: out, stderr: err }
  } catch (error) {
    // One that was never started is not removed by itself.
    remove()
    await removal
    throw error
  } finally {
    signal.removeEventListener('abort', remove)
  }
}
