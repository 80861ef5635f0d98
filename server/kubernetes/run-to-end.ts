import { setTimeout as delay } from 'node:timers/promises'
import type { ContainerOutcome } from '../docker/engine.ts'
import { AppError } from '../domain/errors.ts'
import type { Containers } from './containers.ts'
import { MAIN } from './pod.ts'
import { mainState } from './state.ts'

const POLL_MS = 100
const MAX_OUTPUT_BYTES = 65_536

/** The cluster keeps the two outputs as one: what a program wrote that has failed is taken for what it says of that. */
export async function runToEnd(containers: Containers, id: string, signal: AbortSignal): Promise<ContainerOutcome> {
  const remove = () => void containers.remove(id).catch(() => {})
  signal.addEventListener('abort', remove, { once: true })
  try {
    signal.throwIfAborted()
    let pod = await containers.startToEnd(id)
    for (;;) {
      signal.throwIfAborted()
      const ended = mainState(pod)?.terminated
      if (ended) {
        const output = await containers.log(id, { container: MAIN, limitBytes: MAX_OUTPUT_BYTES })
        const isFailure = ended.exitCode !== 0
        return { exitCode: ended.exitCode, stdout: isFailure ? '' : output, stderr: isFailure ? output : '' }
      }
      await delay(POLL_MS, undefined, { signal })
      const found = (await containers.find(id)).pod
      if (!found) throw new AppError('sandbox_not_found', 'The program in the cluster was removed before it had ended.')
      pod = found
    }
  } finally {
    signal.removeEventListener('abort', remove)
    remove()
  }
}
