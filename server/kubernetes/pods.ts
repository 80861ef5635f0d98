import { setTimeout as delay } from 'node:timers/promises'
import { timeLimit } from '../async/time-limit.ts'
import { AppError } from '../domain/errors.ts'
import type { ClusterClient } from './client.ts'
import { isStatus, translateErrors } from './errors.ts'
import { objectName } from './objects.ts'
import type { podOf } from './pod.ts'
import { mainState, type Pod } from './state.ts'
import { podStarts } from './waiting.ts'

/** A pod that is asked to end is killed by its node within this time, unless that node is lost. */
const END_MS = 60_000
const END_POLL_MS = 100

/** The pods of containers. What ends one means that pod, and never the one that has taken its name since. */
export class Pods {
  readonly #client: ClusterClient

  constructor(client: ClusterClient) {
    this.#client = client
  }

  path(id?: string): string {
    return this.#client.path('pods', id === undefined ? undefined : objectName(id))
  }

  get(id: string): Promise<Pod | undefined> {
    return this.#client.request<Pod>('GET', this.path(id)).catch(unlessMissing)
  }

  create(pod: ReturnType<typeof podOf>): Promise<Pod> {
    return this.#client.request<Pod>('POST', this.path(), { body: pod })
  }

  /** Resolves when it runs, or has ended by itself. @throws AppError in words why it never will */
  starts(id: string, pod: Pod): Promise<Pod> {
    return podStarts({
      read: () => this.#same(id, pod),
      rulesLog: () => this.log(id, { container: 'rules', limitBytes: 2000 }),
    })
  }

  /**
   * Resolves when no process of it is left. Its folder must not be another pod's before: only its node knows that, and is asked
   * to end it, unless it has said already that all has ended. Cleaning up after it is the node's concern, and takes seconds.
   */
  async end(id: string, pod: Pod, graceSeconds: number): Promise<void> {
    if (hasEnded(pod)) return this.#delete(id, pod, 0)
    await this.#delete(id, pod, Math.max(1, graceSeconds))
    const late = timeLimit(END_MS + graceSeconds * 1000)
    for (;;) {
      const now = await this.#same(id, pod)
      if (!now) return
      if (hasEnded(now)) return this.#delete(id, pod, 0)
      if (late.aborted) throw new AppError('engine_failed', 'The cluster has not ended the pod. Is its node lost?')
      await delay(END_POLL_MS)
    }
  }

  /** Of one of its containers. */
  log(id: string, query: { container: string; tailLines?: number; limitBytes: number }): Promise<string> {
    return translateErrors('Reading the log', async () => {
      const stream = await this.#client.stream(`${this.path(id)}/log`, { query })
      let text = ''
      for await (const chunk of stream.setEncoding('utf8')) text += chunk
      return text
    })
  }

  async #same(id: string, { metadata }: Pod): Promise<Pod | undefined> {
    const pod = await this.get(id)
    return pod?.metadata?.uid === metadata?.uid ? pod : undefined
  }

  async #delete(id: string, { metadata }: Pod, gracePeriodSeconds: number): Promise<void> {
    const body = { gracePeriodSeconds, preconditions: { uid: metadata?.uid } }
    await this.#client.request('DELETE', this.path(id), { body }).catch(error => {
      // Another one has its name.
      if (!isStatus(error, 404, 409)) throw error
    })
  }
}

/** Whether it can become what it is to be, or is that. */
export function isLive(pod: Pod): boolean {
  const { metadata, status } = pod
  const isOver = mainState(pod)?.terminated || status?.phase === 'Failed' || status?.phase === 'Succeeded'
  return !metadata?.deletionTimestamp && !isOver
}

function hasEnded({ status }: Pod): boolean {
  const statuses = status?.containerStatuses ?? []
  return statuses.length > 0 && statuses.every(({ state }) => state?.terminated)
}

export function unlessMissing(error: unknown): undefined {
  if (!isStatus(error, 404)) throw error
  return undefined
}
