import { z } from 'zod'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'

export const REMOVABLE_KINDS = ['sandbox', 'image', 'build_layers', 'cache', 'service_volume'] as const
const kind = z.enum(REMOVABLE_KINDS)
const id = z.string().min(1).max(300)

export const REMOVABLE_REASONS = [
  'no_conversation',
  'not_running',
  'earlier_version',
  'other_spec',
  'dev_container',
  'unfinished_build',
  'no_sandbox',
  'no_service',
] as const

export const removable = z.object({
  kind: kind.describe(
    'What it is: a sandbox with all its files, an image, what a build without an image has left, a cache that sandboxes of a spec share, or the data of a service beside a sandbox.',
  ),
  id: z.string().describe('By which it is removed.'),
  name: z.string().describe('Its name: of an image, cache or volume; of a sandbox its id.'),
  bytes: z.number().describe('How many bytes it takes by itself.'),
  since: dateTime
    .nullable()
    .describe(
      'When it was last used, as far as that is known, else when it was made; null where the engine does not tell.',
    ),
  reason: z
    .enum(REMOVABLE_REASONS)
    .describe(
      'Why it can go: no conversation works in the sandbox, or it does not run; the image is of an earlier version, of a spec that new conversations do not begin with, or of a dev container; the build came to no image; no sandbox has the cache; no service has the data.',
    ),
  may_hold_work: z
    .boolean()
    .describe('Whether what it holds may be nowhere else. The rest is loaded, pulled, built or downloaded again.'),
  conversations: z
    .array(
      z.object({
        id: z.string().describe('Id of the conversation.'),
        title: z.string().nullable().describe('Title of the conversation; null before it has one.'),
        archived: z.boolean().describe('Whether it is in the archive.'),
      }),
    )
    .describe('Conversations that work in the sandbox, the newest first, 20 at most. They stay, without their files.'),
})
export type Removable = z.output<typeof removable>

export const removalOutcome = z.object({
  kind: kind.describe('As it was asked for.'),
  id: z.string().describe('As it was asked for.'),
  state: z
    .enum(['removed', 'gone', 'kept'])
    .describe('`gone` where there was no such thing any more, `kept` where it could not be removed.'),
  problem: z.string().nullable().describe('Why it was kept, in words for people; null for anything else.'),
})
export type RemovalOutcome = z.output<typeof removalOutcome>

const tag = 'Storage'
const engineId = z.string().min(1).max(100).nullish()
const WHICH_ENGINE = 'Id of the engine; absent is the default engine.'

export const listRemovable = route({
  method: 'get',
  path: '/api/v1/storage/removable',
  summary: 'What can be removed from the engine’s disk',
  description:
    'Lists what can be removed from the engine’s disk, one by one, the largest first: sandboxes that do not run and nothing uses, and images, caches and volumes that no container needs. Nothing that is in use is in it. The engine reads all files for that, which takes a while.',
  tag,
  query: z.object({ engine_id: engineId.describe(WHICH_ENGINE) }),
  failures: ['not_found', 'engine_unavailable'],
  reply: z.object({ items: z.array(removable).describe('What can be removed, the largest first.') }),
})

export const removeRemovable = route({
  method: 'post',
  path: '/api/v1/storage/removable/remove',
  summary: 'Remove things from the engine’s disk',
  description:
    'Removes what the body names, if it still can go: each is looked at again right before. It cannot be taken back. A client that shows how far it is, or lets somebody stop, names one in each request.',
  tag,
  body: z.object({
    engine_id: engineId.describe(WHICH_ENGINE),
    items: z
      .array(z.object({ kind: kind.describe('As in the list.'), id: id.describe('As in the list.') }))
      .min(1)
      .max(100)
      .describe('What is to go.'),
  }),
  failures: ['not_found', 'engine_unavailable'],
  reply: z.object({ items: z.array(removalOutcome).describe('What became of each, in the order asked for.') }),
})
