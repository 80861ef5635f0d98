import { z } from 'zod'
import { route } from '../../contract/route.ts'

/** How many lines of a log are read at once. */
export const logTail = z.int().min(1).max(2000).default(200).describe('How many lines.')

export const getSandboxLog = route({
  method: 'get',
  path: '/api/v1/sandboxes/{sandbox_id}/logs',
  summary: 'Read what the command of a sandbox printed',
  description:
    'Reads the last lines that the first process of the sandbox wrote, both outputs together, without control sequences, also while the sandbox is paused. That process is the command of its spec. What an agent runs is in the events of its conversation, and what a person runs in terminals.',
  tag: 'Sandboxes',
  params: z.object({ sandbox_id: z.string().min(1).max(100).describe('Id of the sandbox.') }),
  query: z.object({ tail: logTail }),
  failures: ['sandbox_not_found', 'engine_unavailable'],
  reply: z.object({
    text: z
      .string()
      .nullable()
      .describe(
        'Its last lines; empty where it has written nothing, null where no log is kept of it: its spec has no command, or it was started by a version that kept none.',
      ),
  }),
})
