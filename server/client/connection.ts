import type { Route, RouteReply } from '../api/contract/route.ts'
import type { Arguments } from './client.ts'
import type { Connect } from './updates-socket.ts'

/** What the parts of a client need of the whole: where the service is, and how it is asked. */
export interface Connection {
  readonly url: string
  readonly key: string
  /** Opens a WebSocket. */
  readonly connect: Connect
  readonly timeoutMs: number
  call<R extends Route>(route: R, ...input: Arguments<R>): Promise<RouteReply<R>>
}
