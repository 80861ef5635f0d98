import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Express } from 'express'
import { NO_BODY, type RouteReply } from '../../api/contract/route.ts'
import { endArrival, letArriveSlowly } from '../core/port.ts'
import { type FormBound, type FormFile, isForm, readForm } from './form.ts'
import { type AnyRoute, type Call, expressPath, readCall } from './mount.ts'

type Bodiless<R> = Omit<Call<R>, 'body'>

/** Serves an operation whose reply is a stream of another media type, under a file name. */
export function mountDownload<R extends AnyRoute>(
  app: Express,
  route: R,
  fileName: string | ((call: Bodiless<R>) => string),
  handler: (call: Bodiless<R>) => Promise<Readable>,
): void {
  app[route.method](expressPath(route.path), async (request, response) => {
    const call = readCall(route, request, response)
    const content = await handler(call)
    response.status(route.status).attachment(typeof fileName === 'string' ? fileName : fileName(call))
    response.type(route.media?.reply ?? 'application/octet-stream')
    // A reply that has begun can only be cut off.
    await pipeline(content, response).catch(() => response.destroy())
  })
}

/** Serves an operation whose body is a form with files, which are read as they arrive. With a bound of its own it may take long. */
export function mountUpload<R extends AnyRoute>(
  app: Express,
  route: R,
  handler: (call: Bodiless<R>, files: AsyncIterable<FormFile>) => Promise<RouteReply<R>>,
  bound?: FormBound,
): void {
  app[route.method](expressPath(route.path), async (request, response) => {
    const call = readCall(isForm(request) ? { ...route, body: NO_BODY } : route, request, response) as Bodiless<R>
    if (bound) letArriveSlowly(request)
    try {
      const reply = route.reply.parse(await handler(call, readForm(request, bound)))
      response.status(route.status).json(reply)
    } finally {
      // Nobody reads the rest, which would keep the connection waiting.
      request.unpipe()
      request.resume()
      if (bound) endArrival(request)
    }
  })
}
