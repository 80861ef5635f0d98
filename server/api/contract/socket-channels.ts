import { z } from 'zod'
import { event, sendMessageRequest } from '../event/events.ts'
import { eventFrame } from '../event/frames.ts'
import { askedDialect, eventOf2025 } from '../event-dialects.ts'
import { clientAction, legacyEvent } from '../legacy/events.ts'
import {
  agentShellClientFrame,
  terminalBytes,
  terminalClientFrame,
  terminalFrame,
} from '../v1/sandbox/terminal-frames.ts'
import { changeFrame } from '../v1/system/system.ts'

/** The address of a socket, what goes over it, and how it ends: what the service serves and the document shows. */
export interface SocketChannel {
  address: `/${string}`
  protocol: 'ws' | 'socket.io' | 'http'
  title: string
  description: string
  params?: z.ZodObject
  /** Of the address, at the opening. */
  query?: z.ZodObject
  /** What the service sends. */
  sends: Readonly<Record<string, SocketMessage>>
  /** What a client sends. */
  takes: Readonly<Record<string, SocketMessage>>
}

export interface SocketMessage {
  summary: string
  schema: z.ZodType
  headers?: z.ZodObject
  /** Its name on Socket.IO. */
  event?: string
  /** What its frames hold, if not JSON: they are binary then. */
  media?: string
}

/** The first frame of a client that could not send its key with the opening. */
export const authFrame = z.object({
  type: z.literal('auth'),
  session_api_key: z.string().describe('The key that the header X-Session-API-Key would have.'),
})

export const withKey = {
  session_api_key: z
    .string()
    .optional()
    .describe('The key, for clients that can set no header. Better is a first frame, which no log of addresses has.'),
}

const conversation = z.object({
  conversation_id: z.string().describe('Id of the conversation; the hyphens of a UUID may be left out.'),
})

const resendMode = z.enum(['all', 'none']).optional()

export const HOW_TO_SHOW_A_KEY = `The key comes in the header X-Session-API-Key, as a bearer token, in the query as session_api_key, or in a first frame of the type auth within 10 seconds.

Close codes: 4001 the key is absent or wrong, 4004 there is no such conversation, 1013 too many sockets or a reader that is too slow, 1001 the service closes.`

export const AUTH: SocketMessage = { summary: 'The key, in a first frame', schema: authFrame }

const events: SocketChannel = {
  address: '/sockets/events/{conversation_id}',
  protocol: 'ws',
  title: 'Events of a conversation',
  description: `First the full state, then the stored events that were asked for, then everything as it happens, without a gap and without a duplicate. A client that comes again asks for what comes after the last \`seq\` that it has.\n\n${HOW_TO_SHOW_A_KEY}`,
  params: conversation,
  query: z.object({
    after_seq: z.int().optional().describe('Begins after this sequence number; -1 begins with the first event.'),
    resend_mode: resendMode.describe('`all` begins with the first event; absent or `none` has only what comes.'),
    resend_all: z
      .boolean()
      .optional()
      .describe(
        'The same as `resend_mode=all`, for clients of November 2025, who get the kinds of events that they know.',
      ),
    ...askedDialect,
    ...withKey,
  }),
  sends: {
    ...kindsOf(event, 'A stored event'),
    ...kindsOf(eventFrame.options[1], 'A live event, which is not stored'),
    eventOf2025: { summary: 'An event in the kinds of November 2025', schema: eventOf2025 },
  },
  takes: { auth: AUTH, message: { summary: 'A message for the agent, which runs', schema: sendMessageRequest } },
}

const updates: SocketChannel = {
  address: '/sockets/updates',
  protocol: 'ws',
  title: 'Changes of resources',
  description: `Says what has changed, so that a client reads it again. It carries no values.\n\n${HOW_TO_SHOW_A_KEY}`,
  query: z.object(withKey),
  sends: { change: { summary: 'A resource has changed', schema: changeFrame } },
  takes: { auth: AUTH },
}

/** The same on both ports. */
export const TERMINAL: SocketChannel = {
  address: '/sockets/terminals/{terminal_id}',
  protocol: 'ws',
  title: 'Screen and keys of a terminal',
  description: `Shows a terminal and types into it. First comes the screen, then what the program writes, as binary frames; binary frames of the client are typed. No more than 512 KiB are under way: a client says how many bytes its terminal has shown, every 192 KiB or after 50 ms, as more frames than 100 a second close the socket; it keeps to 256 KiB of typed bytes that the service has not confirmed. The program waits for the fastest client; one that is too slow gets the screen anew. A key of a sandbox opens its own terminals alone.\n\n${HOW_TO_SHOW_A_KEY} For a terminal, 4004 says that it is unknown or was closed.`,
  params: z.object({ terminal_id: z.string().describe('Id of the terminal.') }),
  query: z.object(withKey),
  sends: {
    bytes: { summary: 'Bytes for the terminal', schema: terminalBytes, media: 'application/octet-stream' },
    ...byType(terminalFrame, 'What the terminal is to know'),
  },
  takes: {
    auth: AUTH,
    keys: { summary: 'Bytes that are typed', schema: terminalBytes, media: 'application/octet-stream' },
    ...byType(terminalClientFrame, 'What the client says'),
  },
}

const agentShell: SocketChannel = {
  address: '/sockets/agent-shells/{conversation_id}',
  protocol: 'ws',
  title: 'Screen and keys of the shell of an agent',
  description: `Shows what the commands of the agent write while they run, each after a prompt of its own, with secrets masked; the frames are those of a terminal. While the agent does not work, a person can give the shell commands of their own (\`run\`), and the agent is told of them with the next result that it gets; what is typed goes to the program that runs, whose ever it is. Anything else is refused with \`conflict\`. The agent does not wait for who looks: of output that comes faster than about a mebibyte a second, the oldest is left out, and a line says so. The newest 256 KiB of before are there for who comes later, as long as the agent keeps its shell.\n\n${HOW_TO_SHOW_A_KEY}`,
  params: conversation,
  query: z.object(withKey),
  sends: TERMINAL.sends,
  takes: { ...TERMINAL.takes, ...byType(agentShellClientFrame, 'What the client says') },
}

const legacy: SocketChannel = {
  address: '/socket.io/',
  protocol: 'socket.io',
  title: 'Events of a conversation, for existing clients',
  description:
    'Socket.IO 4 (Engine.IO 4), over WebSocket or long polling. Stored events after `latest_event_id` come first, then everything as it happens. A connection without a valid key is refused with `invalid_session_api_key`.',
  query: z.object({
    conversation_id: conversation.shape.conversation_id,
    latest_event_id: z.int().default(-1).describe('Id of the last event that the client has; -1 is none.'),
    ...withKey,
  }),
  sends: {
    event: { summary: 'A stored event, in the legacy form', schema: legacyEvent, event: 'oh_event' },
    refusal: {
      summary: 'Why a frame of the client was refused',
      schema: z.object({
        error: z.literal(true),
        message: z.string().describe('What happened, in words for people.'),
      }),
      event: 'oh_event',
    },
  },
  takes: {
    action: {
      summary: 'A message for the agent, or a change of what it does',
      schema: clientAction,
      event: 'oh_user_action',
    },
  },
}

const id = z.union([z.string(), z.number()])
const fields = z.record(z.string(), z.unknown())

const mcp: SocketChannel = {
  address: '/mcp',
  protocol: 'http',
  title: 'Tools for other agents',
  description:
    'A server of the Model Context Protocol over streamable HTTP, without sessions: tools with which another agent starts tasks, waits for them, reads their changes and runs commands in their sandboxes. It takes the key of the app. Waiting tells its progress. https://modelcontextprotocol.io/specification',
  sends: {
    answer: {
      summary: 'The answer to a request, or a notification on the way to it',
      schema: z.looseObject({
        jsonrpc: z.literal('2.0'),
        id: id.optional().describe('Id of the request; absent for a notification.'),
        method: z.string().optional().describe('Name of the notification, such as notifications/progress.'),
        params: fields.optional().describe('Parameters of the notification.'),
        result: fields.optional().describe('What came of the request; absent when it failed.'),
        error: z
          .looseObject({
            code: z.int().describe('Code of the failure, as JSON-RPC has it.'),
            message: z.string().describe('What went wrong, in words.'),
          })
          .optional()
          .describe('Why the request failed; absent when it did not.'),
      }),
    },
  },
  takes: {
    request: {
      summary: 'A request or a notification, such as tools/list or tools/call',
      schema: z.looseObject({
        jsonrpc: z.literal('2.0'),
        id: id.optional().describe('Id of the request; absent for a notification.'),
        method: z.string().describe('Name of the method.'),
        params: fields.optional().describe('Parameters of the method.'),
      }),
    },
  },
}

export const APP_CHANNELS: Readonly<Record<string, SocketChannel>> = {
  events,
  updates,
  terminal: TERMINAL,
  agentShell,
  legacy,
  mcp,
}

/** The members of a union of frames, each under the name of its kind. */
function kindsOf(union: { options: readonly z.ZodType[] }, summary: string): Record<string, SocketMessage> {
  return Object.fromEntries(
    union.options.map(schema => [nameOf(schema), { summary: `${summary}: ${nameOf(schema)}`, schema }]),
  )
}

function byType(
  union: { options: readonly z.ZodObject<{ type: z.ZodLiteral }>[] },
  summary: string,
): Record<string, SocketMessage> {
  return Object.fromEntries(
    union.options.map(schema => {
      const type = String(schema.shape.type.value)
      return [type, { summary: `${summary}: ${type}`, schema }]
    }),
  )
}

/** Of the frames of one kind the full state has a name of its own. */
function nameOf(schema: z.ZodType): string {
  const { kind, key } = (schema as z.ZodObject).shape
  return key instanceof z.ZodLiteral ? String(key.value) : String((kind as z.ZodLiteral).value)
}
