import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Express } from 'express'
import type { RouteReply } from '../api/route.ts'
import { type AnyRoute, type Call, expressPath, readCall } from './mount.ts'

/** Serves an operation whose reply is a JSON array, one element at a time as they come. */
export function mountJsonStream<R extends AnyRoute>(
  app: Express,
  route: R,
  handler: (call: Call<R>) => AsyncIterable<RouteReply<R> extends (infer Item)[] ? Item : never>,
): void {
  app[route.method](expressPath(route.path), async (request, response) => {
    const items = handler(readCall(route, request, response))
    response.status(route.status).type('json')
    // Once begun, a reply can only be cut off.
    await pipeline(Readable.from(asArray(items), { objectMode: false }), response).catch(() => response.destroy())
  })
}

async function* asArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '['
  for await (const item of items) {
    yield `${separator}${JSON.stringify(item)}\n`
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
