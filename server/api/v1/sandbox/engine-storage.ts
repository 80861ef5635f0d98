import { z } from 'zod'
import { route } from '../../contract/route.ts'
import { diskStatus } from '../system/storage.ts'
import { sandboxStatus } from './sandboxes.ts'

/** What goes with a sandbox. */
export const sandboxUsage = z.object({
  sandbox_id: z.string().describe('Id of the sandbox.'),
  status: sandboxStatus.describe('State of the sandbox.'),
  bytes: z
    .number()
    .describe(
      'Bytes that go with it: what it has written over its image, the image that it was copied from, and the data of its services.',
    ),
  is_used: z.boolean().describe('Whether a conversation works in it.'),
})
export type SandboxUsage = z.output<typeof sandboxUsage>

/**
 * `unused_sandboxes`: they do not run, and no conversation works in them. `unused_images`: what Atelier has brought into
 * the engine and no sandbox needs; it is loaded or pulled again when it is needed. `unused_caches`: what the sandboxes of a spec
 * share, while none of them is there; it is downloaded again.
 */
export const ENGINE_RECLAIMABLE_KINDS = ['unused_sandboxes', 'unused_images', 'unused_caches'] as const
export const engineReclaimable = z.object({
  kind: z
    .enum(ENGINE_RECLAIMABLE_KINDS)
    .describe(
      'What can be deleted: sandboxes that do not run and no conversation works in, images that no sandbox needs, or caches of specs that no sandbox has.',
    ),
  bytes: z.number().describe('How many bytes that frees.'),
  names: z.array(z.string()).describe('Ids of the sandboxes, or names of the images and caches.'),
})
export type EngineReclaimable = z.output<typeof engineReclaimable>

export const engineStorage = z.object({
  disk: diskStatus
    .nullable()
    .describe('Disk of the engine; null where that is not a disk of this machine, as in a virtual machine.'),
  sandboxes: z.array(sandboxUsage).describe('Sandboxes with what they take, the largest first.'),
  reclaimable: z.array(engineReclaimable).describe('What can be deleted to free space.'),
})
export type EngineStorage = z.output<typeof engineStorage>

const tag = 'Storage'
const engineId = z.string().min(1).max(100).nullish()
const WHICH_ENGINE = 'Id of the engine; absent is the default engine.'

export const getEngineStorage = route({
  method: 'get',
  path: '/api/v1/storage/engine',
  summary: 'What sandboxes and their images take of the engine’s disk',
  description:
    "Adds up what sandboxes and their images take of the engine's disk. The engine reads all files for that, which takes a while.",
  tag,
  query: z.object({ engine_id: engineId.describe(WHICH_ENGINE) }),
  failures: ['not_found', 'engine_unavailable'],
  reply: engineStorage,
})

export const freeEngineStorage = route({
  method: 'post',
  path: '/api/v1/storage/engine/free',
  summary: 'Delete sandboxes that no conversation works in, or images and caches that no sandbox needs',
  description:
    'Deletes what the body names: sandboxes that do not run and no conversation works in, or images and caches that no sandbox needs. Images are loaded or pulled again when they are needed, caches filled again.',
  tag,
  body: z.object({
    kinds: z.array(z.enum(ENGINE_RECLAIMABLE_KINDS)).min(1).describe('What to delete.'),
    engine_id: engineId.describe(WHICH_ENGINE),
  }),
  failures: ['not_found', 'engine_unavailable'],
  reply: engineStorage,
})
