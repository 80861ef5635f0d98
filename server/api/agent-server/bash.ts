import { z } from 'zod'
import { IN_KEYS_SANDBOX } from '../contract/failures.ts'
import { page } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { wireTime } from './events.ts'

const base = {
  id: z.string().describe('Id of the command or output.'),
  timestamp: z.string().describe('When it was written: local time without an offset.'),
}

export const bashCommand = z.object({
  kind: z.literal('BashCommand'),
  ...base,
  command: z.string().describe('Command that was started, with secret values masked.'),
  cwd: z.string().nullable().describe('Folder that it was started in; null is the working directory of the sandbox.'),
  timeout: z.number().describe('Seconds after which it is ended.'),
})
export type BashCommand = z.output<typeof bashCommand>

/** A piece of a command's output; the last one has the exit code, which is -1 after the time-out. */
export const bashOutput = z.object({
  kind: z.literal('BashOutput'),
  ...base,
  command_id: z.string().describe('Command that the output is of.'),
  order: z.int().describe('Place among the outputs of its command, from 0.'),
  exit_code: z.int().nullable().describe('Exit status of the command; null while it runs, -1 when it was ended.'),
  stdout: z.string().nullable().describe('Next piece of standard output, with secret values masked; null for none.'),
  stderr: z.string().nullable().describe('Next piece of standard error, with secret values masked; null for none.'),
})
export type BashOutput = z.output<typeof bashOutput>

export const bashEvent = z.discriminatedUnion('kind', [bashCommand, bashOutput])
export type BashEvent = z.output<typeof bashEvent>

/** Over the socket: why a client's command was refused. */
export const bashErrorEvent = z.object({
  kind: z.literal('BashError'),
  ...base,
  code: z.string().describe('Error code of the failure, to branch on.'),
  detail: z.string().describe('What happened and what to do next, in words for people.'),
})
export type BashErrorEvent = z.output<typeof bashErrorEvent>

export const executeBashRequest = z.object({
  command: z.string().min(1).max(1_000_000).describe("Command for a shell of its own, not the agent's terminal."),
  cwd: z
    .string()
    .max(4096)
    .nullish()
    .describe('Folder to start it in; absent is the working directory of the sandbox.'),
  timeout: z.int().min(1).max(86_400).default(300).describe('Seconds after which the command is ended.'),
})
export type ExecuteBashRequest = z.output<typeof executeBashRequest>

const tag = 'Bash'

export const searchBashEvents = route({
  method: 'get',
  path: '/api/bash/bash_events/search',
  summary: 'Search commands and their output',
  description: 'Lists the commands that clients have started in the sandbox and their output, a page at a time.',
  tag,
  query: z.object({
    kind__eq: z.enum(['BashCommand', 'BashOutput']).nullish().describe('Only commands, or only outputs.'),
    command_id__eq: z.string().nullish().describe('Only this command and its outputs.'),
    timestamp__gte: wireTime.nullish().describe('Only what was written at this time or later.'),
    timestamp__lt: wireTime.nullish().describe('Only what was written before this time.'),
    order__gt: z.int().nullish().describe('Only outputs after this place among those of their command.'),
    sort_order: z
      .enum(['TIMESTAMP', 'TIMESTAMP_DESC'])
      .default('TIMESTAMP')
      .describe('`TIMESTAMP` is oldest first, `TIMESTAMP_DESC` newest first.'),
    page_id: z
      .string()
      .nullish()
      .describe('Id of the first one of the page: `next_page_id` of the page before. Absent is the first page.'),
    limit: z.int().min(1).max(100).default(100).describe('How many a page has at most.'),
  }),
  failures: IN_KEYS_SANDBOX,
  reply: page(bashEvent),
})

export const batchGetBashEvents = route({
  method: 'get',
  path: '/api/bash/bash_events',
  summary: 'Get commands and outputs by id, with the ids as a JSON array in the body',
  description:
    'Reads commands and outputs by id, with the ids as a JSON array in the body. The reply has their order, with null for those that are unknown.',
  tag,
  body: z.array(z.string()).max(1000),
  failures: IN_KEYS_SANDBOX,
  reply: z.array(bashEvent.nullable()),
})

export const getBashEvent = route({
  method: 'get',
  path: '/api/bash/bash_events/{event_id}',
  summary: 'Get a command or an output',
  description: 'Reads one command or one piece of output.',
  tag,
  params: z.object({ event_id: z.string().describe('Id of the command or output.') }),
  failures: [...IN_KEYS_SANDBOX, 'event_not_found'],
  reply: bashEvent,
})

export const startBashCommand = route({
  method: 'post',
  path: '/api/bash/start_bash_command',
  summary: 'Start a command in a shell of its own',
  description:
    'Starts a command in a shell of its own and answers at once. Its output comes over `/sockets/bash-events`, or with a search.',
  tag,
  body: executeBashRequest,
  failures: IN_KEYS_SANDBOX,
  reply: bashCommand,
})

export const executeBashCommand = route({
  method: 'post',
  path: '/api/bash/execute_bash_command',
  summary: 'Run a command to its end; the reply is its last output',
  description:
    'Runs a command in a shell of its own to its end. The reply is its last piece of output, with the exit status.',
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
  description: 'Forgets all commands and outputs; commands that run go on.',
  tag,
  failures: IN_KEYS_SANDBOX,
  reply: z.object({ cleared_count: z.int().describe('How many commands and outputs were forgotten.') }),
})
