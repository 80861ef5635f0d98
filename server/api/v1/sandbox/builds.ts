import { z } from 'zod'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { sandboxSpecInfo } from './specs.ts'

const params = z.object({ spec_id: z.string().min(1).max(500).describe('Id of the sandbox spec.') })
const tag = 'Sandboxes'

export const specBuild = z.object({
  state: z
    .enum(['none', 'building', 'ready', 'failed'])
    .describe(
      '`none`: it was not built yet, or its build was cancelled. `ready`: the engine has the image of this Dockerfile.',
    ),
  step: z.string().nullable().describe('What the build is doing, in words; null when it is not building.'),
  log: z.array(z.string()).describe('Last lines of the log, oldest first. Empty after a restart of the service.'),
  error: z.string().nullable().describe('Why the last build failed, and what to do next.'),
  started_at: dateTime.nullable().describe('When the last build began; null where none is known.'),
  ended_at: dateTime.nullable().describe('When the last build ended; null while it goes on.'),
})
export type SpecBuild = z.output<typeof specBuild>

export const startSpecBuild = route({
  method: 'post',
  path: '/api/v1/sandbox-specs/{spec_id}/build',
  summary: 'Build the image of a sandbox spec',
  description:
    'Begins to build the image of a spec that has a Dockerfile, or joins the build that is under way. Follow it with the build of the spec. 409 for a spec without a Dockerfile.',
  tag,
  params,
  failures: ['not_found', 'conflict', 'engine_unavailable'],
  reply: specBuild,
})

export const getSpecBuild = route({
  method: 'get',
  path: '/api/v1/sandbox-specs/{spec_id}/build',
  summary: 'Read how far the build of a sandbox spec is',
  description: 'Reads the state of the build of a spec that has a Dockerfile, with the end of its log.',
  tag,
  params,
  failures: ['not_found', 'conflict'],
  reply: specBuild,
})

export const cancelSpecBuild = route({
  method: 'delete',
  path: '/api/v1/sandbox-specs/{spec_id}/build',
  summary: 'Cancel the build of a sandbox spec',
  description: 'Ends the build that is under way, also for starts that wait for it. Without one nothing happens.',
  tag,
  params,
  failures: ['not_found', 'conflict'],
  reply: specBuild,
})

export const saveSandboxAsSpec = route({
  method: 'post',
  path: '/api/v1/sandboxes/{sandbox_id}/save-as-spec',
  summary: 'Save a sandbox as a spec',
  description:
    'Makes an image of what the sandbox is now, and a spec that starts from it, with the network and limits of the sandbox. The sandbox goes on. Giving the request up leaves nothing behind.',
  tag,
  params: z.object({ sandbox_id: z.string().min(1).max(500).describe('Id of the sandbox.') }),
  body: z.object({ title: z.string().trim().min(1).max(100).describe('Name of the spec, for people.') }),
  failures: ['sandbox_not_found', 'conflict', 'engine_unavailable'],
  reply: z.object({
    spec: sandboxSpecInfo.describe('The new spec.'),
    left_out: z
      .array(z.string())
      .describe(
        'Paths that are mounted in the sandbox, such as a folder of this machine: the image has nothing of them.',
      ),
  }),
  status: 201,
})
