import { z } from 'zod'
import { IN_KEYS_SANDBOX } from './failures.ts'
import { wireTime } from './gateway-events.ts'
import { page } from './page.ts'
import { route } from './route.ts'

const base = { id: z.string(), timestamp: z.string() }

export const bashCommand = z.object({
  kind: z.literal('BashCommand'),
  ...base,
  command: z.string(),
  cwd: z.string().nullable(),
  /** seconds */
  timeout: z.number(),
})
export type BashCommand = z.output<typeof bashCommand>

/** A piece of a command's output; the last one has the exit code, which is -1 after the time-out. */
export const bashOutput = z.object({
  kind: z.literal('BashOutput'),
  ...base,
  command_id: z.string(),
  order: z.int(),
  exit_code: z.int().nullable(),
  stdout: z.string().nullable(),
  stderr: z.string().nullable(),
})
export type BashOutput = z.output<typeof bashOutput>

export const bashEvent = z.discriminatedUnion('kind', [bashCommand, bashOutput])
export type BashEvent = z.output<typeof bashEvent>

export const executeBashRequest = z.object({
  command: z.string().min(1).max(1_000_000),
  cwd: z.string().max(4096).nullish(),
  timeout: z.int().min(1).max(86_400).default(300),
})
export type ExecuteBashRequest = z.output<typeof executeBashRequest>

const tag = 'Bash'

export const searchBashEvents = route({
  method: 'get',
  path: '/api/bash/bash_events/search',
  summary: 'Search commands and their output; a page_id is the id of the first one of the page',
  tag,
  query: z.object({
    kind__eq: z.enum(['BashCommand', 'BashOutput']).nullish(),
    command_id__eq: z.string().nullish(),
    timestamp__gte: wireTime.nullish(),
    timestamp__lt: wireTime.nullish(),
    order__gt: z.int().nullish(),
    sort_order: z.enum(['TIMESTAMP', 'TIMESTAMP_DESC']).default('TIMESTAMP'),
    page_id: z.string().nullish(),
    limit: z.int().min(1).max(100).default(100),
  }),
  failures: IN_KEYS_SANDBOX,
  reply: page(bashEvent),
})

export const batchGetBashEvents = route({
  method: 'get',
  path: '/api/bash/bash_events/',
  summary: 'Get commands and outputs by id, with the ids as a JSON array in the body; null for unknown ones',
  tag,
  body: z.array(z.string()).max(1000),
  failures: IN_KEYS_SANDBOX,
  reply: z.array(bashEvent.nullable()),
})

export const getBashEvent = route({
  method: 'get',
  path: '/api/bash/bash_events/{event_id}',
  summary: 'Get a command or an output',
  tag,
  params: z.object({ event_id: z.string() }),
  failures: [...IN_KEYS_SANDBOX, 'event_not_found'],
  reply: bashEvent,
})

export const startBashCommand = route({
  method: 'post',
  path: '/api/bash/start_bash_command',
  summary: 'Start a command in a shell of its own',
  tag,
  body: executeBashRequest,
  failures: IN_KEYS_SANDBOX,
  reply: bashCommand,
})

export const executeBashCommand = route({
  method: 'post',
  path: '/api/bash/execute_bash_command',
  summary: 'Run a command to its end; the reply is its last output',
  tag,
  body: executeBashRequest,
  failures: IN_KEYS_SANDBOX,
  reply: bashOutput,
})

/** What runs goes on. */
export const clearBashEvents = route({
  method: 'delete',
  path: '/api/bash/bash_events',
  summary: 'Forget commands and outputs',
  tag,
  failures: IN_KEYS_SANDBOX,
  reply: z.object({ cleared_count: z.int() }),
})
