import { z } from 'zod'
import { dateTime, page, pageQuery, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { networkPolicy } from './network.ts'

export const SANDBOX_STATUSES = ['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING'] as const
export const sandboxStatus = z.enum(SANDBOX_STATUSES)
export type SandboxStatus = z.output<typeof sandboxStatus>

export const exposedUrl = z.object({
  name: z.string().describe('What is served there, such as `AGENT_SERVER`.'),
  url: z.string().describe('Address on this machine.'),
  port: z.int().describe('Port on this machine.'),
})

export const sandboxInfo = z.object({
  id: z.string().describe('Id of the sandbox.'),
  created_by_user_id: z.string().nullable().describe('Always null, as there are no accounts.'),
  sandbox_spec_id: z.string().describe('Spec that it was started from.'),
  engine_id: z.string().describe('Engine that it is on; `default` is the one that is found by itself.'),
  status: sandboxStatus.describe('State of the sandbox; ERROR and MISSING do not end by themselves.'),
  status_detail: z
    .string()
    .nullable()
    .describe(
      'Why it is in this state, in words: what it waits for, or what went wrong; null when there is nothing to say.',
    ),
  resumes_by_itself: z
    .boolean()
    .describe(
      'True while it is PAUSED for want of use: whatever needs it resumes it. False for one that a person paused.',
    ),
  pause_ends_programs: z
    .boolean()
    .describe(
      'True where pausing it ends its programs and keeps its files, as on a Kubernetes cluster; false where they are frozen.',
    ),
  unreachable: z.boolean().describe('True while the engine cannot be asked: `status` is then what it said last.'),
  session_api_key: z.string().nullable().describe('Key that opens this sandbox at the gateway; null unless RUNNING.'),
  exposed_urls: z
    .array(exposedUrl)
    .nullable()
    .describe('Addresses of what is served from the sandbox; null unless RUNNING.'),
  created_at: dateTime.describe('When it was created.'),
})
export type SandboxInfo = z.output<typeof sandboxInfo>

export const sandboxStats = z.object({
  sandbox_id: z.string().describe('Id of the sandbox.'),
  cpu_percent: z.number().describe('Processor time, in percent of one core.'),
  memory_bytes: z.number().describe('Bytes of memory in use.'),
  memory_limit_bytes: z.number().describe('Bytes of memory that it may use.'),
  processes: z.int().describe('How many processes and threads run.'),
})
export type SandboxStats = z.output<typeof sandboxStats>

const sandboxParams = z.object({ sandbox_id: z.string().min(1).max(100).describe('Id of the sandbox.') })
const idsQuery = z.object({
  id: z.array(z.string()).min(1).max(100).describe('Ids of sandboxes, up to 100; the reply has their order.'),
})
const tag = 'Sandboxes'

export const searchSandboxes = route({
  method: 'get',
  path: '/api/v1/sandboxes/search',
  summary: 'Search sandboxes',
  description: 'Lists the sandboxes, newest first, a page at a time.',
  tag,
  query: pageQuery,
  reply: page(sandboxInfo),
})

export const batchGetSandboxes = route({
  method: 'get',
  path: '/api/v1/sandboxes',
  summary: 'Get sandboxes by id; null for unknown ones',
  description: 'Reads sandboxes by id. The reply has the order of the ids, with null for those that are unknown.',
  tag,
  query: idsQuery,
  reply: z.array(sandboxInfo.nullable()),
})

export const getSandboxStats = route({
  method: 'get',
  path: '/api/v1/sandboxes/stats',
  summary: 'CPU and memory of running sandboxes now; null for the others',
  description:
    'Measures running sandboxes now. The reply has the order of the ids, with null for those that do not run.',
  tag,
  query: idsQuery,
  reply: z.array(sandboxStats.nullable()),
})

export const startSandbox = route({
  method: 'post',
  path: '/api/v1/sandboxes',
  summary: 'Start a sandbox',
  description: 'Starts a sandbox and answers at once, while it is STARTING.',
  tag,
  query: z.object({
    sandbox_spec_id: z.string().nullish().describe('Spec to start from; absent is the default spec.'),
  }),
  body: z
    .object({
      sandbox_spec_id: z
        .string()
        .nullish()
        .describe('Spec to start from, for clients that send it in the body; absent is the default spec.'),
      network_policy: networkPolicy.nullish().describe('What it reaches, in place of what its spec says.'),
    })
    .optional(),
  failures: ['not_found', 'bad_request', 'engine_unavailable'],
  reply: sandboxInfo,
})

export const pauseSandbox = route({
  method: 'post',
  path: '/api/v1/sandboxes/{sandbox_id}/pause',
  summary: 'Pause a sandbox',
  description:
    'Pauses everything in the sandbox; its files and processes stay. Nothing happens when it is paused already.',
  tag,
  params: sandboxParams,
  failures: ['sandbox_not_found', 'conflict', 'engine_unavailable'],
  reply: success,
})

export const resumeSandbox = route({
  method: 'post',
  path: '/api/v1/sandboxes/{sandbox_id}/resume',
  summary: 'Resume a sandbox',
  description: 'Lets a paused sandbox go on, or starts one that has ended anew with its files.',
  tag,
  params: sandboxParams,
  failures: ['sandbox_not_found', 'conflict', 'engine_unavailable'],
  reply: success,
})

export const deleteSandbox = route({
  method: 'delete',
  path: '/api/v1/sandboxes/{sandbox_id}',
  summary: 'Delete a sandbox and its files',
  description: 'Deletes the sandbox with all its files. Its conversations stay and can be read.',
  tag,
  params: sandboxParams,
  query: z.object({
    sandbox_id: z
      .string()
      .nullish()
      .describe('Id of the sandbox again, as existing clients send it; it has no effect.'),
  }),
  failures: ['sandbox_not_found', 'engine_unavailable'],
  reply: success,
})
