import { z } from 'zod'
import type { SocketContract } from '../contract/asyncapi.ts'
import { errorBody } from '../contract/errors.ts'
import type { Contract } from '../contract/openapi.ts'
import type { Route } from '../contract/route.ts'
import * as params from '../v1/conversation/params.ts'
import * as bash from './bash.ts'
import * as branching from './branching.ts'
import { GATEWAY_CHANNELS } from './channels.ts'
import * as choices from './choices.ts'
import * as conversations from './conversations.ts'
import * as events from './events.ts'
import * as files from './files.ts'
import * as git from './git.ts'
import * as mcp from './mcp.ts'
import * as profiles from './profiles.ts'
import * as server from './server.ts'
import * as settings from './settings.ts'
import * as skills from './skills.ts'
import * as startRequest from './start-request.ts'
import * as unsupported from './unsupported.ts'

const DESCRIPTION = `The agent-server API, for clients that speak to one conversation's server: conversation_url points here.
Every operation needs a key in the header X-Session-API-Key, or as a bearer token. The session_api_key of a sandbox opens that sandbox alone; the app's own key opens all conversations, and works in a sandbox of its own.
Routes of agent servers that Atelier does not have answer 501 with the reason; they stand at the end. Everything else is on the app's own port.`

const MODULES: readonly object[] = [
  conversations,
  startRequest,
  params,
  choices,
  branching,
  events,
  bash,
  files,
  git,
  mcp,
  skills,
  profiles,
  settings,
  server,
]

/** Every operation of the gateway's port by its name. */
export const GATEWAY_OPERATIONS: ReadonlyMap<string, Route> = new Map(
  MODULES.flatMap(module => Object.entries(module)).filter((entry): entry is [string, Route] => isRoute(entry[1])),
)

/** With those that only say that there is no such thing yet. */
export const GATEWAY_ROUTES: readonly Pick<Route, 'method' | 'path' | 'open'>[] = [
  ...GATEWAY_OPERATIONS.values(),
  ...unsupported.UNSUPPORTED,
]

const GATEWAY_SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map(
  MODULES.flatMap(module => Object.entries(module)).filter(
    (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
  ),
)

export const GATEWAY_CONTRACT: Contract = {
  title: 'Atelier gateway',
  description: DESCRIPTION,
  operations: GATEWAY_OPERATIONS,
  schemas: GATEWAY_SCHEMAS,
  errorBodyOf: () => errorBody,
  unsupported: unsupported.UNSUPPORTED,
}

export const GATEWAY_SOCKETS: SocketContract = {
  title: 'Atelier gateway',
  description: 'Events of conversations, commands and tools of a sandbox, for clients of agent servers.',
  channels: GATEWAY_CHANNELS,
  schemas: GATEWAY_SCHEMAS,
}

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value
}
