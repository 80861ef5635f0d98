import * as bash from './gateway-bash.ts'
import * as branching from './gateway-branching.ts'
import * as conversations from './gateway-conversations.ts'
import * as events from './gateway-events.ts'
import * as files from './gateway-files.ts'
import * as git from './gateway-git.ts'
import * as server from './gateway-server.ts'
import * as skills from './gateway-skills.ts'
import * as unsupported from './gateway-unsupported.ts'
import type { Route } from './route.ts'

const MODULES: readonly object[] = [conversations, branching, events, bash, files, git, skills, server]

/** Every operation of the gateway's port by its name. */
export const GATEWAY_OPERATIONS: ReadonlyMap<string, Route> = new Map(
  MODULES.flatMap(module => Object.entries(module)).filter((entry): entry is [string, Route] => isRoute(entry[1])),
)

/** With those that only say that there is no such thing yet. */
export const GATEWAY_ROUTES: readonly Pick<Route, 'method' | 'path' | 'open'>[] = [
  ...GATEWAY_OPERATIONS.values(),
  ...unsupported.UNSUPPORTED,
]

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value
}
