import { z } from 'zod'
import { IN_CONVERSATION, IN_SANDBOX } from '../../contract/failures.ts'
import { dateTime, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { terminalSize } from './terminal-size.ts'

/** Names are shown in a line: no line breaks, nor marks that change its direction. */
const terminalName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine(name => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name), 'Name it with visible characters, in one line.')
  .describe('Name for people.')

export const terminalInfo = z.object({
  id: z.string().describe('Id of the terminal.'),
  sandbox_id: z.string().describe('Id of the sandbox that its shell runs in.'),
  name: z.string().describe('Name for people.'),
  ...terminalSize,
  cwd: z.string().nullable().describe('Folder that the shell was started in; null is that of the sandbox.'),
  status: z.enum(['running', 'ended']).describe('Whether its shell runs.'),
  exit_code: z
    .int()
    .nullable()
    .describe('Exit status of the shell; null while it runs, and when the sandbox or its engine ended it.'),
  created_at: dateTime.describe('When it was created.'),
})
export type TerminalInfo = z.output<typeof terminalInfo>

const inSandbox = z.object({ sandbox_id: z.string().min(1).max(100).describe('Id of the sandbox.') })
const terminalParams = inSandbox.extend({
  terminal_id: z.string().min(1).max(100).describe('Id of the terminal.'),
})
const tag = 'Terminals'

export const listTerminals = route({
  method: 'get',
  path: '/api/v1/sandboxes/{sandbox_id}/terminals',
  summary: 'List the terminals of a sandbox',
  description:
    'Lists the terminals of people in the sandbox, the oldest first, those whose shell has ended among them. The shell of the agent is none of them.',
  tag,
  params: inSandbox,
  failures: ['sandbox_not_found'],
  reply: z.array(terminalInfo),
})

export const createTerminalBody = z
  .object({
    name: terminalName.optional().describe('Name for people; absent is a number.'),
    cwd: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('Folder to start the shell in; absent is that of the conversation or of the sandbox.'),
    conversation_id: z
      .string()
      .optional()
      .describe('Conversation in whose working directory the shell starts; absent is that of the sandbox.'),
    cols: terminalSize.cols.default(80).describe('Width in columns.'),
    rows: terminalSize.rows.default(24).describe('Height in rows.'),
  })
  .default({ cols: 80, rows: 24 })
export type CreateTerminalBody = z.output<typeof createTerminalBody>

export const createTerminal = route({
  method: 'post',
  path: '/api/v1/sandboxes/{sandbox_id}/terminals',
  summary: 'Start a shell on a terminal of its own',
  description:
    'Starts a shell on a terminal of its own, bash where the image has it. It is shown and typed into over `/sockets/terminals/{terminal_id}`, runs on while nobody shows it, and ends with its sandbox or with Atelier.',
  tag,
  params: inSandbox,
  body: createTerminalBody,
  failures: [...IN_SANDBOX, ...IN_CONVERSATION, 'file_not_found'],
  reply: terminalInfo,
})

export const terminalChanges = z.object({
  name: terminalName.optional().describe('Name for people.'),
  cols: terminalSize.cols.optional().describe('Width in columns.'),
  rows: terminalSize.rows.optional().describe('Height in rows.'),
})
export type TerminalChanges = z.output<typeof terminalChanges>

export const updateTerminal = route({
  method: 'patch',
  path: '/api/v1/sandboxes/{sandbox_id}/terminals/{terminal_id}',
  summary: 'Rename or resize a terminal',
  description: 'Changes the name or the size of the terminal. What is absent stays as it is.',
  tag,
  params: terminalParams,
  body: terminalChanges,
  failures: ['sandbox_not_found', 'not_found'],
  reply: terminalInfo,
})

export const restartTerminal = route({
  method: 'post',
  path: '/api/v1/sandboxes/{sandbox_id}/terminals/{terminal_id}/restart',
  summary: 'Start a new shell in a terminal whose shell has ended',
  description: 'Starts a new shell in a terminal whose shell has ended. The screen stays above it.',
  tag,
  params: terminalParams,
  failures: [...IN_SANDBOX, 'not_found', 'file_not_found', 'conflict'],
  reply: terminalInfo,
})

export const closeTerminal = route({
  method: 'delete',
  path: '/api/v1/sandboxes/{sandbox_id}/terminals/{terminal_id}',
  summary: 'Close a terminal with everything that runs in it',
  description: 'Ends the shell with everything that runs in it, and forgets the terminal.',
  tag,
  params: terminalParams,
  query: z.object({
    if_idle: z
      .boolean()
      .default(false)
      .describe('Whether it stays open, with the failure `conflict`, when the shell runs a program now.'),
  }),
  failures: ['sandbox_not_found', 'not_found', 'conflict'],
  reply: success,
})
