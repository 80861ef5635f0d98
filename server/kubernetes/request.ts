import { z } from 'zod'
import { clusterPlace } from '../api/v1/sandbox/cluster.ts'
import type { ContainerRequest } from '../docker/engine.ts'
import { AppError } from '../domain/errors.ts'
import { nameOf, type ObjectMeta, requestText } from './objects.ts'

/** Each is a listener on this machine. */
const MAX_PORTS = 20
const MAX_ITEMS = 1000
const MAX_TEXT = 256 * 1024

const text = z.string().max(MAX_TEXT)
const name = z.string().min(1).max(1000)
const amount = z.number().nonnegative()
const texts = z.record(name, text).refine(all => Object.keys(all).length <= MAX_ITEMS)

/** What a container is made from that stays. What only others have is left out of what is read. */
const requestSchema = z.object({
  name,
  image: text.min(1),
  command: z.array(text).max(MAX_ITEMS),
  entrypoint: z.array(text).max(MAX_ITEMS).optional(),
  workingDir: text.startsWith('/'),
  env: texts,
  labels: texts,
  ports: z.array(z.int().min(1).max(65_535)).max(MAX_PORTS),
  user: name.optional(),
  openStdin: z.boolean().optional(),
  memoryBytes: amount,
  cpus: amount,
  pids: amount,
  diskBytes: amount.optional(),
  runtime: name.optional(),
  capabilities: z.object({ drop: z.array(name).max(MAX_ITEMS), add: z.array(name).max(MAX_ITEMS) }),
  network: z.enum(['bridge', 'none']),
  extraHosts: z.array(name).max(MAX_ITEMS),
  mounts: z.array(z.never()),
  cluster: clusterPlace.optional(),
})

/** What a container may have at most, and must not have. */
export type Capabilities = Readonly<Record<'drop' | 'add', readonly string[]>>

/**
 * What the container of a claim was made from; undefined where that is not as this or another version of Atelier has written it.
 * Whoever may change claims must not have us make a pod that no sandbox could be.
 */
export function requestOf(meta: ObjectMeta, capabilities: Capabilities): ContainerRequest | undefined {
  const { data } = requestSchema.safeParse(jsonOf(requestText(meta)))
  if (data?.name !== nameOf(meta)) return undefined
  const { drop, add } = data.capabilities
  if (!capabilities.drop.every(each => drop.includes(each))) return undefined
  if (!add.every(each => capabilities.add.includes(each))) return undefined
  // Of JSON, in which nothing is undefined.
  return data as ContainerRequest
}

function jsonOf(content: string | undefined): unknown {
  try {
    return JSON.parse(content ?? '')
  } catch {
    return undefined
  }
}

export const CHANGED_RECORD = 'Its record in the cluster was changed by somebody else. Delete it.'

export function recordChanged(): AppError {
  return new AppError('conflict', CHANGED_RECORD)
}
