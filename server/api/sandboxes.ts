import { z } from 'zod'
import { dateTime, page, pageQuery, success } from './page.ts'
import { route } from './route.ts'

export const SANDBOX_STATUSES = ['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING'] as const
export const sandboxStatus = z.enum(SANDBOX_STATUSES)
export type SandboxStatus = z.output<typeof sandboxStatus>

export const exposedUrl = z.object({ name: z.string(), url: z.string(), port: z.int() })

export const sandboxInfo = z.object({
  id: z.string(),
  created_by_user_id: z.string().nullable(),
  sandbox_spec_id: z.string(),
  status: sandboxStatus,
  /** Why it is in this state, in words: what it waits for, or what went wrong. */
  status_detail: z.string().nullable(),
  /** The engine cannot be asked now: `status` is what it said last. */
  unreachable: z.boolean(),
  /** null unless RUNNING */
  session_api_key: z.string().nullable(),
  /** null unless RUNNING */
  exposed_urls: z.array(exposedUrl).nullable(),
  created_at: dateTime,
})
export type SandboxInfo = z.output<typeof sandboxInfo>

export const sandboxStats = z.object({
  sandbox_id: z.string(),
  cpu_percent: z.number(),
  memory_bytes: z.number(),
  memory_limit_bytes: z.number(),
  processes: z.int(),
})
export type SandboxStats = z.output<typeof sandboxStats>

const sandboxParams = z.object({ sandbox_id: z.string().min(1).max(100) })
const idsQuery = z.object({ id: z.array(z.string()).min(1).max(100) })
const tag = 'Sandboxes'

export const searchSandboxes = route({
  method: 'get',
  path: '/api/v1/sandboxes/search',
  summary: 'Search sandboxes',
  tag,
  query: pageQuery,
  reply: page(sandboxInfo),
})

export const batchGetSandboxes = route({
  method: 'get',
  path: '/api/v1/sandboxes',
  summary: 'Get sandboxes by id; null for unknown ones',
  tag,
  query: idsQuery,
  reply: z.array(sandboxInfo.nullable()),
})

export const getSandboxStats = route({
  method: 'get',
  path: '/api/v1/sandboxes/stats',
  summary: 'CPU and memory of running sandboxes now; null for the others',
  tag,
  query: idsQuery,
  reply: z.array(sandboxStats.nullable()),
})

export const startSandbox = route({
  method: 'post',
  path: '/api/v1/sandboxes',
  summary: 'Start a sandbox',
  tag,
  query: z.object({ sandbox_spec_id: z.string().nullish() }),
  body: z.object({ sandbox_spec_id: z.string().nullish() }).optional(),
  failures: ['not_found', 'bad_request', 'engine_unavailable'],
  reply: sandboxInfo,
})

export const pauseSandbox = route({
  method: 'post',
  path: '/api/v1/sandboxes/{sandbox_id}/pause',
  summary: 'Pause a sandbox',
  tag,
  params: sandboxParams,
  failures: ['sandbox_not_found', 'conflict', 'engine_unavailable'],
  reply: success,
})

export const resumeSandbox = route({
  method: 'post',
  path: '/api/v1/sandboxes/{sandbox_id}/resume',
  summary: 'Resume a sandbox',
  tag,
  params: sandboxParams,
  failures: ['sandbox_not_found', 'conflict', 'engine_unavailable'],
  reply: success,
})

export const deleteSandbox = route({
  method: 'delete',
  path: '/api/v1/sandboxes/{sandbox_id}',
  summary: 'Delete a sandbox and its files',
  tag,
  params: sandboxParams,
  query: z.object({ sandbox_id: z.string().nullish() }),
  failures: ['sandbox_not_found', 'engine_unavailable'],
  reply: success,
})
