import type { Express, Request, Response } from 'express'
import type { Access } from '../../agent-server/access.ts'
import type { RouteReply } from '../../api/contract/route.ts'
import { AppError } from '../../domain/errors.ts'
import { keysOf } from '../core/guard.ts'
import { type AnyRoute, type Call, expressPath, readCall } from '../mount/mount.ts'

/** A parsed request and what its key opens. */
export interface GatewayCall<R> extends Call<R> {
  access: Access
}

/** A reply whose status is not the route's usual one. */
export class OtherStatus<Reply> {
  readonly status: number
  readonly reply: Reply

  constructor(status: number, reply: Reply) {
    this.status = status
    this.reply = reply
  }
}

type Answer<R> = RouteReply<R> | OtherStatus<RouteReply<R>>

/** Serves one operation of the gateway: what comes in is parsed once, what goes out is checked. */
export function mountGateway<R extends AnyRoute>(
  app: Express,
  route: R,
  handler: (call: GatewayCall<R>) => Answer<R> | Promise<Answer<R>>,
): void {
  app[route.method](expressPath(route.path), async (request, response) => {
    const access = route.open ? NOTHING : accessIn(response)
    const answer = await handler({ ...readCall(route, request, response), access })
    const [status, reply] = answer instanceof OtherStatus ? [answer.status, answer.reply] : [route.status, answer]
    response.status(status).json(route.reply.parse(reply))
  })
}

/** What callers without a key may see: no sandbox has an empty id. */
const NOTHING: Access = { kind: 'sandbox', sandboxId: '' }

/** Lets in who has a key, and remembers what it opens for the request. */
export function admitted(admit: (key: string) => Promise<Access | undefined>, isOpen: (request: Request) => boolean) {
  return async (request: Request, response: Response, next: () => void) => {
    if (isOpen(request)) return next()
    for (const key of keysOf(request)) {
      const access = await admit(key)
      if (!access) continue
      Object.assign(response.locals, { key, access })
      return next()
    }
    response.status(401).json({ detail: 'Unauthorized', code: 'unauthorized' })
  }
}

export function accessIn(response: Response): Access {
  const { access } = response.locals as { access?: Access }
  if (!access) throw new AppError('unauthorized', 'Unauthorized')
  return access
}
