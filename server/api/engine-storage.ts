import { z } from 'zod'
import { route } from './route.ts'
import { sandboxStatus } from './sandboxes.ts'
import { diskStatus } from './storage.ts'

/** What a sandbox has written over its image. */
export const sandboxUsage = z.object({
  sandbox_id: z.string(),
  status: sandboxStatus,
  bytes: z.number(),
  /** A conversation works in it. */
  is_used: z.boolean(),
})
export type SandboxUsage = z.output<typeof sandboxUsage>

/**
 * `unused_sandboxes`: they do not run, and no conversation works in them. `unused_images`: what Atelier has brought into
 * the engine and no sandbox needs; it is loaded or pulled again when it is needed.
 */
export const ENGINE_RECLAIMABLE_KINDS = ['unused_sandboxes', 'unused_images'] as const
export const engineReclaimable = z.object({
  kind: z.enum(ENGINE_RECLAIMABLE_KINDS),
  bytes: z.number(),
  /** Ids of sandboxes, names of images. */
  names: z.array(z.string()),
})
export type EngineReclaimable = z.output<typeof engineReclaimable>

export const engineStorage = z.object({
  /** The disk of the engine; null where that is not a disk of this machine, as in a virtual machine. */
  disk: diskStatus.nullable(),
  /** The largest first. */
  sandboxes: z.array(sandboxUsage),
  reclaimable: z.array(engineReclaimable),
})
export type EngineStorage = z.output<typeof engineStorage>

const tag = 'Storage'

export const getEngineStorage = route({
  method: 'get',
  path: '/api/v1/storage/engine',
  summary: 'What sandboxes and their images take of the engine’s disk. The engine adds it up, which takes a while',
  tag,
  failures: ['engine_unavailable'],
  reply: engineStorage,
})

export const freeEngineStorage = route({
  method: 'post',
  path: '/api/v1/storage/engine/free',
  summary: 'Delete sandboxes that no conversation works in, or images that no sandbox needs',
  tag,
  body: z.object({ kinds: z.array(z.enum(ENGINE_RECLAIMABLE_KINDS)).min(1) }),
  failures: ['engine_unavailable'],
  reply: engineStorage,
})
