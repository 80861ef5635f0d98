import { MAX_MESSAGE_CHARACTERS, MAX_SOCKETS, MAX_UPLOAD_BYTES } from '../api/contract/limits.ts'
import { type Bound, KIB, MIB } from './bounds/bound.ts'
import { COMPOSE_BOUNDS } from './bounds/compose.ts'
import { DATA_FILE_BOUNDS } from './bounds/data-files.ts'
import { DEV_CONTAINER_BOUNDS } from './bounds/dev-containers.ts'
import { ENGINE_BOUNDS } from './bounds/engines.ts'
import { FILE_BOUNDS } from './bounds/files.ts'
import { FOLDER_BOUNDS } from './bounds/folders.ts'
import { IMAGE_BOUNDS } from './bounds/images.ts'
import { LOG_BOUNDS } from './bounds/log.ts'
import { NETWORK_BOUNDS } from './bounds/network.ts'
import { REPORT_BOUNDS } from './bounds/reports.ts'
import { SEARCH_BOUNDS } from './bounds/search.ts'
import { TERMINAL_BOUNDS } from './bounds/terminal.ts'
import { TOOL_BOUNDS } from './bounds/tools.ts'
import { TRUST_BOUNDS } from './bounds/trust.ts'

export type { Bound }

/**
 * The upper bounds on everything that is not trusted: requests, output of tools, answers of models, files of a
 * repository. Code reads its bound here, and `docs/configuration.md` shows the table, so that no bound is stated twice.
 */
export const BOUNDS = {
  jsonBody: {
    limit: 10 * MIB,
    unit: 'bytes',
    of: 'JSON body of a request',
    beyond: 'The request is refused with 413.',
  },
  repeatedRequests: {
    limit: 500,
    unit: 'items',
    of: 'requests of a port whose answers are kept for a repetition with the same `Idempotency-Key`',
    beyond: 'The oldest is forgotten, and its repetition carried out.',
  },
  repeatedAnswer: {
    limit: 64 * KIB,
    unit: 'characters',
    of: 'answer that is kept for a repetition',
    beyond: 'The same.',
  },
  zipMemory: {
    limit: 512 * MIB,
    unit: 'bytes',
    of: 'memory of the thread that packs an archive, some 500 bytes for each entry',
    beyond: 'The download breaks off.',
  },
  savedLogMemory: {
    limit: 1024 * MIB,
    unit: 'bytes',
    of: 'memory of the thread that reads a saved log',
    beyond: 'It cannot be read.',
  },
  savedLogReading: {
    limit: 60_000,
    unit: 'milliseconds',
    of: 'time in which a saved log is read',
    beyond: 'It cannot be read.',
  },
  messageText: {
    limit: MAX_MESSAGE_CHARACTERS,
    unit: 'characters',
    of: 'text in a message to the agent',
    beyond: 'The message is refused with 422.',
  },
  page: {
    limit: 4 * MIB,
    unit: 'bytes',
    of: 'page of events, or of commands that clients run and their output, unless a single one is larger',
    beyond: 'The page has fewer items than were asked for, and `next_page_id` (for legacy events `has_more`) goes on.',
  },
  batch: {
    limit: 8 * MIB,
    unit: 'bytes',
    of: 'events, or commands that clients run and their output, of which several are asked for by their ids at once',
    beyond: 'The request is refused with 413.',
  },
  bashHistoryEvents: {
    limit: 2000,
    unit: 'items',
    of: 'commands and outputs kept of the commands that clients run in one sandbox',
    beyond: 'The oldest are forgotten.',
  },
  bashHistory: {
    limit: 32 * MIB,
    unit: 'characters',
    of: 'commands and outputs kept of the commands that clients run in one sandbox',
    beyond: 'The oldest are forgotten.',
  },
  bashHistories: {
    limit: 64 * MIB,
    unit: 'characters',
    of: 'commands and outputs kept of the commands that clients run in all sandboxes together',
    beyond: 'The oldest of the sandbox that was used least recently are forgotten.',
  },
  repositoryChanges: {
    limit: 10_000,
    unit: 'items',
    of: 'changed files of a repository in one list, and 1 MiB of their paths',
    beyond: 'The rest is left out.',
  },
  bashCommands: {
    limit: 64,
    unit: 'items',
    of: 'commands of clients that run at the same time in all sandboxes',
    beyond: 'The next one is refused with 429 until another has ended.',
  },
  jsonDepth: {
    limit: 100,
    unit: 'levels',
    of: 'nesting of JSON in a request or a frame of a socket',
    beyond: 'It is refused with 422, a frame with an error, before it is parsed.',
  },
  jsonValues: {
    limit: 20_000,
    unit: 'items',
    of: 'values in the JSON of a request or a frame of a socket',
    beyond: 'It is refused with 422, a frame with an error, before it is parsed.',
  },
  jsonValuesOfReplay: {
    limit: 1_000_000,
    unit: 'items',
    of: 'values in the JSON of a recorded conversation to replay',
    beyond: 'It is refused with 422 before it is parsed.',
  },
  refusedFields: {
    limit: 100,
    unit: 'items',
    of: 'wrong fields that a 422 names',
    beyond: 'The first are named, the others are left out.',
  },
  requestHeadSize: {
    limit: 16 * 1024,
    unit: 'bytes',
    of: 'request line and headers of a request',
    beyond: 'The request is refused with 431.',
  },
  requestHeaders: {
    limit: 100,
    unit: 'items',
    of: 'headers of a request',
    beyond: 'The request is refused with 431.',
  },
  requestHead: {
    limit: 10_000,
    unit: 'milliseconds',
    of: 'time in which the headers of a request arrive',
    beyond: 'The connection is closed with 408.',
  },
  request: {
    limit: 120_000,
    unit: 'milliseconds',
    of: 'time in which a request to the API arrives whole',
    beyond: 'The connection is closed with 408.',
  },
  gatewayRequest: {
    limit: 600_000,
    unit: 'milliseconds',
    of: 'time in which a request to the gateway arrives whole',
    beyond: 'The connection is closed with 408.',
  },
  idleConnection: {
    limit: 60_000,
    unit: 'milliseconds',
    of: 'time that a connection may be kept without a request',
    beyond: 'The connection is closed.',
  },
  connections: {
    limit: 4000,
    unit: 'items',
    of: 'connections to a port',
    beyond: 'A further one is closed.',
  },
  connectionsWithoutKey: {
    limit: 256,
    unit: 'items',
    of: 'connections to a port that have shown no valid key yet',
    beyond: 'The oldest of them is closed.',
  },
  sockets: {
    limit: MAX_SOCKETS,
    unit: 'items',
    of: 'sockets on a port, of both generations and with those that are being opened',
    beyond: 'A further one is refused with 503.',
  },
  authentication: {
    limit: 10_000,
    unit: 'milliseconds',
    of: 'time in which a socket shows a valid key',
    beyond: 'The socket is closed.',
  },
  socketFrame: {
    limit: 4 * MIB,
    unit: 'bytes',
    of: 'frame of a socket from a client',
    beyond: 'The socket is closed.',
  },
  socketFrames: {
    limit: 200,
    unit: 'items',
    of: 'frames of a socket from a client at once, and half as many a second',
    beyond: 'The socket is closed, with 1013 where the protocol has codes.',
  },
  strangersFrame: {
    limit: 64 * 1024,
    unit: 'bytes',
    of: 'frame of a socket, or body of long polling, from a client that has shown no valid key yet',
    beyond: 'The socket is closed.',
  },
  unsentBytes: {
    limit: 8 * MIB,
    unit: 'bytes',
    of: 'frames of a socket that the client has not read yet',
    beyond: 'The socket is closed with 1013.',
  },
  subscribers: {
    limit: 50,
    unit: 'items',
    of: 'sockets on one conversation',
    beyond: 'A further one is closed with 1013.',
  },
  formBytes: {
    limit: MAX_UPLOAD_BYTES,
    unit: 'bytes',
    of: 'files of an upload together',
    beyond: 'The request is refused with 413.',
  },
  formParts: {
    limit: 1000,
    unit: 'items',
    of: 'files, and fields, of an upload',
    beyond: 'The others are left out.',
  },
  loginKeys: {
    limit: 20,
    unit: 'items',
    of: 'browsers that are logged in',
    beyond: 'The one that was not used for the longest time is logged out.',
  },
  ...COMPOSE_BOUNDS,
  ...TERMINAL_BOUNDS,
  ...TRUST_BOUNDS,
  ...DATA_FILE_BOUNDS,
  ...FILE_BOUNDS,
  ...DEV_CONTAINER_BOUNDS,
  ...ENGINE_BOUNDS,
  ...FOLDER_BOUNDS,
  ...REPORT_BOUNDS,
  ...TOOL_BOUNDS,
  ...IMAGE_BOUNDS,
  ...NETWORK_BOUNDS,
  ...SEARCH_BOUNDS,
  ...LOG_BOUNDS,
} as const satisfies Record<string, Bound>
