import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { ContainerState, EngineListener, EngineWatch } from '../docker/engine.ts'
import { jsonLines } from '../docker/json-lines.ts'
import type { ClusterClient } from './client.ts'
import { ApiFailure } from './errors.ts'
import { hasLabels, nameOf, selectorOf } from './objects.ts'
import { type Claim, type Found, mainState, metaOf, type Pod } from './state.ts'

const FIRST_RETRY_MS = 250
const MAX_RETRY_MS = 10_000
/** The server ends each answer after this time, and goes on in the next one. */
const ANSWER_S = 240
const GONE = 410

const KINDS = ['persistentvolumeclaims', 'pods'] as const
type Kind = (typeof KINDS)[number]

const changeSchema = z.object({
  type: z.string(),
  object: z.looseObject({
    metadata: z.looseObject({ resourceVersion: z.string() }).optional(),
    code: z.number().optional(),
    message: z.string().optional(),
  }),
})

type Labels = Readonly<Record<string, string>>

interface Watched {
  labels: Labels
  listener: EngineListener
  stateOf(found: Found): ContainerState | undefined
}

/** Events of containers, made of how their objects change. */
export function watchContainers(client: ClusterClient, watched: Watched): EngineWatch {
  const closing = new AbortController()
  void follow(client, watched, closing.signal)
  return { close: () => closing.abort() }
}

async function follow(client: ClusterClient, watched: Watched, signal: AbortSignal): Promise<void> {
  const { labels, listener } = watched
  // The cluster answered a moment ago: if it does not now, that is a loss too.
  let isConnected = true
  for (let wait = FIRST_RETRY_MS; !signal.aborted; wait = Math.min(MAX_RETRY_MS, wait * 2)) {
    const round = new AbortController()
    const ended = AbortSignal.any([signal, round.signal])
    let isGone = false
    const began = performance.now()
    try {
      const known = new KnownContainers(watched)
      const versions = await Promise.all(KINDS.map(kind => list(client, { kind, labels, known, signal: ended })))
      isConnected = true
      known.begin()
      listener.onReconnect()
      await Promise.race(
        KINDS.map((kind, index) => followKind(client, { kind, labels, known, signal: ended }, versions[index] ?? '')),
      )
    } catch (error) {
      isGone = error instanceof ApiFailure && error.status === GONE
    } finally {
      round.abort()
    }
    if (signal.aborted) return
    // What was missed is listed anew: nothing was lost.
    if (isConnected && !isGone) listener.onDisconnect()
    if (!isGone) isConnected = false
    // One that went well for a while is no failure that repeats.
    if (performance.now() - began > MAX_RETRY_MS) wait = FIRST_RETRY_MS
    await delay(wait, undefined, { signal }).catch(() => {})
  }
}

interface Following {
  kind: Kind
  labels: Labels
  known: KnownContainers
  signal: AbortSignal
}

/** @returns the version of what was listed */
async function list(client: ClusterClient, { kind, labels, known, signal }: Following): Promise<string> {
  const query = { labelSelector: selectorOf(labels) }
  const found = await client.request<{ metadata: { resourceVersion: string }; items: (Claim | Pod)[] }>(
    'GET',
    client.path(kind),
    { query, signal },
  )
  for (const object of found.items) known.put(kind, object)
  return found.metadata.resourceVersion
}

/** Ends only with an error. */
async function followKind(client: ClusterClient, following: Following, since: string): Promise<never> {
  const { kind, labels, known, signal } = following
  let resourceVersion = since
  for (;;) {
    const began = performance.now()
    const query = {
      labelSelector: selectorOf(labels),
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds: ANSWER_S,
      resourceVersion,
    }
    const answer = await client.stream(client.path(kind), { query, signal })
    resourceVersion = await deliver(answer, { kind, known }, resourceVersion)
    signal.throwIfAborted()
    // A server that goes away ends its answers as if they were whole.
    if (performance.now() - began < FIRST_RETRY_MS) throw new Error('The answer ended at once.')
  }
}

async function deliver(
  answer: Readable,
  { kind, known }: Pick<Following, 'kind' | 'known'>,
  since: string,
): Promise<string> {
  let resourceVersion = since
  for await (const line of jsonLines(answer)) {
    const change = changeSchema.safeParse(line)
    if (!change.success) continue
    const { type, object } = change.data
    if (type === 'ERROR') throw new ApiFailure(object.code ?? 500, 'Watch', object.message ?? 'The watch ended.')
    resourceVersion = object.metadata?.resourceVersion ?? resourceVersion
    if (type === 'BOOKMARK') continue
    if (type === 'DELETED') known.remove(kind, object as unknown as Claim | Pod)
    else known.put(kind, object as unknown as Claim | Pod)
  }
  return resourceVersion
}

/** The containers as they were seen last, and what is said when they change. */
class KnownContainers {
  readonly #watched: Watched
  readonly #found = new Map<string, Found>()
  readonly #states = new Map<string, ContainerState>()
  #hasBegun = false

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /** What was put before that is no change. */
  begin(): void {
    this.#hasBegun = true
  }

  put(kind: Kind, object: Claim | Pod): void {
    const meta = metaOf(object)
    if (!meta || !hasLabels(meta, this.#watched.labels)) return
    const name = nameOf(meta)
    const before = this.#found.get(name) ?? { claim: undefined, pod: undefined }
    this.#change(name, kind === 'pods' ? { ...before, pod: object as Pod } : { ...before, claim: object as Claim })
  }

  remove(kind: Kind, object: Claim | Pod): void {
    const name = nameOf(metaOf(object) ?? {})
    const before = this.#found.get(name)
    if (before) this.#change(name, { ...before, [kind === 'pods' ? 'pod' : 'claim']: undefined })
  }

  #change(name: string, found: Found): void {
    const before = this.#states.get(name)
    const now = this.#watched.stateOf(found)
    if (now) {
      this.#found.set(name, found)
      this.#states.set(name, now)
    } else {
      this.#found.delete(name)
      this.#states.delete(name)
    }
    if (!this.#hasBegun) return
    const labels = (now ?? before)?.labels ?? {}
    for (const action of actionsOf(before, now, found))
      this.#watched.listener.onContainer({ id: name, name, action, labels })
  }
}

function actionsOf(before: ContainerState | undefined, now: ContainerState | undefined, { pod }: Found): string[] {
  if (!now) return before ? ['destroy'] : []
  const isSame = before?.status === now.status && before.startedAt === now.startedAt
  if (isSame || now.status === 'removing') return []
  switch (now.status) {
    case 'running':
      return [before?.status === 'paused' ? 'unpause' : 'start']
    case 'paused':
      return ['pause']
    case 'created':
      return before ? [] : ['create']
    default:
      return mainState(pod)?.terminated?.reason === 'OOMKilled' ? ['oom', 'die'] : ['die']
  }
}
