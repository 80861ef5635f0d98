import { z } from 'zod'
import { AUTH, HOW_TO_SHOW_A_KEY, type SocketChannel, TERMINAL, withKey } from '../contract/socket-channels.ts'
import { askedDialect } from '../event-dialects.ts'
import { bashErrorEvent, bashEvent, executeBashRequest } from './bash.ts'
import { conversationParams } from './conversations.ts'
import { wireEvent, wireTime } from './events.ts'
import { gatewayMessage } from './start-request.ts'

const history = {
  resend_mode: z
    .enum(['all', 'since', 'none'])
    .optional()
    .describe(
      '`all` begins with the first event, `since` with those of `after_timestamp`; absent has only what comes.',
    ),
  after_timestamp: wireTime
    .optional()
    .describe('With `since`: events of this time or later; without an offset it is local time.'),
  ...withKey,
}

const events: SocketChannel = {
  address: '/sockets/events/{conversation_id}',
  protocol: 'ws',
  title: 'Events of a conversation',
  description: `First the full state, then the stored events that were asked for, then everything as it happens.\n\n${HOW_TO_SHOW_A_KEY}`,
  params: conversationParams,
  query: z.object({
    resend_all: z
      .boolean()
      .optional()
      .describe(
        'The same as `resend_mode=all`, for clients of November 2025, who get the kinds of events that they know.',
      ),
    ...askedDialect,
    ...history,
  }),
  sends: { event: { summary: 'An event of the conversation', schema: wireEvent } },
  takes: { auth: AUTH, message: { summary: 'A message for the agent, which runs', schema: gatewayMessage } },
}

const bash: SocketChannel = {
  address: '/sockets/bash-events',
  protocol: 'ws',
  title: 'Commands in the sandbox of the key',
  description: `Runs commands beside those of the agent, and tells what they print.\n\n${HOW_TO_SHOW_A_KEY}`,
  query: z.object(history),
  sends: {
    event: { summary: 'A command, or a piece of its output', schema: bashEvent },
    refusal: { summary: 'Why a command was refused', schema: bashErrorEvent },
  },
  takes: { auth: AUTH, command: { summary: 'A command to start', schema: executeBashRequest } },
}

const id = z.union([z.string(), z.number()])
const params = z.record(z.string(), z.unknown())

const mcp: SocketChannel = {
  address: '/mcp',
  protocol: 'http',
  title: 'Tools of the sandbox of the key',
  description:
    'A server of the Model Context Protocol over streamable HTTP, without sessions: it lists the tools of the sandbox and its tool servers, and calls them. https://modelcontextprotocol.io/specification',
  sends: {
    answer: {
      summary: 'The answer to a request',
      schema: z.looseObject({
        jsonrpc: z.literal('2.0'),
        id: id.describe('Id of the request.'),
        result: params.optional().describe('What came of it; absent when it failed.'),
        error: z
          .looseObject({
            code: z.int().describe('Code of the failure, as JSON-RPC has it.'),
            message: z.string().describe('What went wrong, in words.'),
          })
          .optional()
          .describe('Why it failed; absent when it did not.'),
      }),
    },
  },
  takes: {
    request: {
      summary: 'A request or a notification, such as tools/list or tools/call',
      headers: z.object({
        'X-OpenHands-ServerConversation-ID': z
          .string()
          .optional()
          .describe("Conversation whose tool servers are meant; absent is the sandbox's own."),
      }),
      schema: z.looseObject({
        jsonrpc: z.literal('2.0'),
        id: id.optional().describe('Id of the request; absent for a notification.'),
        method: z.string().describe('Name of the method.'),
        params: params.optional().describe('Parameters of the method.'),
      }),
    },
  },
}

export const GATEWAY_CHANNELS: Readonly<Record<string, SocketChannel>> = { events, bash, terminal: TERMINAL, mcp }
