import type { SandboxNetwork } from '../api/network-policy.ts'
import { createMutex, type Mutex } from '../async/mutex.ts'
import type { ContainerRequest, ContainerState, EngineObject } from '../docker/engine.ts'
import { AppError } from '../domain/errors.ts'
import type { ClusterClient } from './client.ts'
import { isStatus, translateErrors } from './errors.ts'
import {
  type ContainerRecord,
  hasLabels,
  nameOf,
  networkLabel,
  type ObjectMeta,
  objectName,
  recordAnnotation,
  recordOf,
  selectorOf,
} from './objects.ts'
import { checkRequest, claimOf, type OwnImage, podOf } from './pod.ts'
import { isLive, Pods, unlessMissing } from './pods.ts'
import { type Capabilities, recordChanged } from './request.ts'
import { type Claim, type Found, type Known, knownOf, metaOf, type Pod, startOf } from './state.ts'

export interface ContainersOptions {
  client: ClusterClient
  /** Closes the network of a new pod. */
  closing: readonly string[]
  /** Carries out what concerns the network of pods; null where there is none. */
  ownImage: OwnImage | null
  /** Of containers that stay. */
  capabilities: Capabilities
  /** Whose they are, as `account@computer`: a namespace may be a whole team's. */
  owner: string
}

const MERGE = 'application/merge-patch+json'

/**
 * Containers as objects of the cluster. One that stays is a claim, which keeps its record and its folder, and a pod as long as
 * it runs; one that ends by itself is a pod alone, made when it is started.
 */
export class Containers {
  readonly #options: ContainersOptions
  readonly #pods: Pods
  /** Of containers that end by themselves and are not removed yet. */
  readonly #shortLived = new Map<string, { request: ContainerRequest; createdAt: string }>()
  /** What a container is to be is changed by one at a time. */
  readonly #turns = new Map<string, Mutex>()

  constructor(options: ContainersOptions) {
    this.#options = options
    this.#pods = new Pods(options.client)
  }

  create(request: ContainerRequest): Promise<string> {
    return translateErrors('Creating the sandbox', async () => {
      checkRequest(request)
      if (request.isShortLived) {
        this.#shortLived.set(request.name, { request, createdAt: new Date().toISOString() })
        return request.name
      }
      this.#image()
      await this.#options.client.request('POST', this.#claims(), { body: claimOf(request, this.#options.owner) })
      return request.name
    })
  }

  /** A second one waits for what the first has made. */
  start(id: string): Promise<void> {
    return translateErrors('Starting the sandbox', async () => {
      const shortLived = this.#shortLived.get(id)
      if (shortLived) return void (await this.#startAlone(shortLived.request, true))
      const pod = await this.#turn(id, () => this.#begin(id))
      try {
        const started = await this.#pods.starts(id, pod)
        await this.#turn(id, () => this.#recordStart(id, started))
      } catch (error) {
        // Who starts it again waits until nothing is left; nobody waits to hear why.
        void this.#turn(id, () => this.#pods.end(id, pod, 1)).catch(() => {})
        throw error
      }
    })
  }

  /** Starts a pod that ends by itself; nothing can set rules in it. */
  startToEnd(id: string): Promise<Pod> {
    return translateErrors('Running a program in the cluster', async () => {
      const shortLived = this.#shortLived.get(id)
      if (!shortLived) throw notFound()
      return this.#startAlone(shortLived.request, shortLived.request.network === 'none')
    })
  }

  /** Its processes end; its folder stays. */
  pause(id: string): Promise<void> {
    return translateErrors('Pausing the sandbox', () => this.#end(id, { wanted: 'paused' }, 1))
  }

  stop(id: string, graceSeconds: number): Promise<void> {
    return translateErrors('Stopping the sandbox', async () => {
      if (!this.#shortLived.has(id)) return this.#end(id, { wanted: 'stopped', exitCode: 143 }, graceSeconds)
      const pod = await this.#pods.get(id)
      if (pod) await this.#pods.end(id, pod, graceSeconds)
    })
  }

  /** For the network policies of the cluster; its pod has it from the next start on at the latest. */
  labelNetwork(id: string, network: SandboxNetwork): Promise<void> {
    const asked = { body: { metadata: { labels: networkLabel(network) } }, contentType: MERGE }
    const change = async () => {
      await this.#options.client.request('PATCH', this.#claims(id), asked)
      await this.#options.client.request('PATCH', this.#pods.path(id), asked).catch(unlessMissing)
    }
    return translateErrors('Changing the network of the sandbox', () => this.#turn(id, change))
  }

  remove(id: string): Promise<void> {
    this.#shortLived.delete(id)
    this.#turns.delete(id)
    const body = { gracePeriodSeconds: 0, propagationPolicy: 'Background' }
    const removal = (path: string) =>
      this.#options.client.request('DELETE', path, { body }).catch(error => {
        if (!isStatus(error, 404, 409)) throw error
      })
    return translateErrors('Removing a sandbox', async () => {
      await Promise.all([removal(this.#pods.path(id)), removal(this.#claims(id))])
    })
  }

  async inspect(id: string): Promise<ContainerState | undefined> {
    return (await this.look(id)).state
  }

  /** Also what it was made from. */
  async look(id: string): Promise<Known> {
    const found = await translateErrors('Looking at the sandbox', () => this.find(id))
    const { state, request } = this.known(found)
    return { state: state ?? this.#unstarted(id), request: this.#shortLived.get(id)?.request ?? request }
  }

  async find(id: string): Promise<Found> {
    const [claim, pod] = await Promise.all([
      this.#shortLived.has(id)
        ? undefined
        : this.#options.client.request<Claim>('GET', this.#claims(id)).catch(unlessMissing),
      this.#pods.get(id),
    ])
    return { claim, pod }
  }

  known(found: Found): Known {
    return knownOf(found, this.#options.capabilities)
  }

  /** By their names. */
  list(labels: Readonly<Record<string, string>>): Promise<Map<string, Found>> {
    return translateErrors('Listing sandboxes', async () => {
      const { client } = this.#options
      const query = { labelSelector: selectorOf(labels) }
      const [claims, pods] = await Promise.all([
        client.request<{ items: Claim[] }>('GET', this.#claims(), { query }),
        client.request<{ items: Pod[] }>('GET', this.#pods.path(), { query }),
      ])
      const found = new Map<string, Found>()
      const put = (object: Claim | Pod, part: Partial<Found>) => {
        const meta = metaOf(object)
        if (!meta || !hasLabels(meta, labels)) return
        const name = nameOf(meta)
        found.set(name, { claim: undefined, pod: undefined, ...found.get(name), ...part })
      }
      for (const claim of claims.items) put(claim, { claim })
      for (const pod of pods.items) put(pod, { pod })
      return found
    })
  }

  async objects(labels: Readonly<Record<string, string>>): Promise<EngineObject[]> {
    const found = await this.list(labels)
    return [...found.values()].flatMap(each => {
      const { state } = this.known(each)
      if (!state) return []
      const { id, name, labels: own, status } = state
      return [{ kind: 'container' as const, id, name, labels: own, status }]
    })
  }

  /** Of its main container, or another one. */
  log(id: string, query: { container: string; tailLines?: number; limitBytes: number }): Promise<string> {
    return this.#pods.log(id, query)
  }

  async #startAlone(request: ContainerRequest, hasRules: boolean): Promise<Pod> {
    const { name } = request
    const pod = await this.#pods.create(this.#podOf(request, { claim: null, hasRules }))
    try {
      return await this.#pods.starts(name, pod)
    } catch (error) {
      void this.#pods.end(name, pod, 1).catch(() => {})
      throw error
    }
  }

  /** @returns the pod that it becomes: the one that is there, or a new one */
  async #begin(id: string): Promise<Pod> {
    const found = await this.find(id)
    if (!found.claim) throw notFound()
    const { request } = this.known(found)
    if (!request) throw recordChanged()
    const { pod } = found
    if (pod && isLive(pod)) return pod
    if (pod) await this.#pods.end(id, pod, 1)
    return this.#pods.create(this.#podOf(request, { claim: metaOf(found.claim) ?? null, hasRules: true }))
  }

  /** Unless somebody has ended the pod meanwhile: then it is to be what they have recorded. */
  async #recordStart(id: string, started: Pod): Promise<void> {
    const now = await this.#pods.get(id)
    if (!now || now.metadata?.uid !== started.metadata?.uid || !isLive(now)) return
    await this.#record(id, { wanted: 'running', startedAt: startOf(started) })
  }

  #end(id: string, ended: Pick<ContainerRecord, 'wanted' | 'exitCode'>, graceSeconds: number): Promise<void> {
    return this.#turn(id, async () => {
      const found = await this.find(id)
      if (!found.claim) throw notFound()
      const { startedAt } = recordOf(metaOf(found.claim) ?? {})
      await this.#record(id, { ...ended, startedAt: this.known(found).state?.startedAt || startedAt })
      if (found.pod) await this.#pods.end(id, found.pod, graceSeconds)
    })
  }

  #turn<T>(id: string, change: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(id) ?? createMutex()
    this.#turns.set(id, turn)
    return turn(change)
  }

  #podOf(request: ContainerRequest, { claim, hasRules }: { claim: ObjectMeta | null; hasRules: boolean }) {
    const { closing, owner } = this.#options
    return podOf({ request, image: this.#image(), closedRules: hasRules ? closing : null, claim, owner })
  }

  async #record(id: string, record: ContainerRecord): Promise<void> {
    const body = { metadata: { annotations: recordAnnotation(record) } }
    await this.#options.client.request('PATCH', this.#claims(id), { body, contentType: MERGE })
  }

  #unstarted(id: string): ContainerState | undefined {
    const known = this.#shortLived.get(id)
    if (!known) return undefined
    const { name, image, labels } = known.request
    const times = { createdAt: known.createdAt, startedAt: '' }
    return { id: name, name, image, status: 'created', exitCode: undefined, ...times, networks: [], labels, ports: {} }
  }

  #claims(id?: string): string {
    return this.#options.client.path('persistentvolumeclaims', id === undefined ? undefined : objectName(id))
  }

  /** @throws AppError engine_failed */
  #image(): OwnImage {
    const { ownImage } = this.#options
    if (ownImage !== null) return ownImage
    throw new AppError(
      'engine_failed',
      'This Atelier has no image of its own, which a cluster needs. Install Atelier again.',
    )
  }
}

function notFound(): AppError {
  return new AppError('sandbox_not_found', 'The sandbox does not exist any more. Start a new one.')
}
