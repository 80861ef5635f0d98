import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Express } from 'express'
import type { z } from 'zod'
import type { Route, RouteReply } from '../../api/contract/route.ts'
import { Slices } from '../../async/slices.ts'
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

/** Serves an operation whose reply is an object with one list of any length: checked, written and sent in slices. */
export function mountList<Params extends z.ZodObject, Name extends string, Item extends z.ZodType>(
  app: Express,
  route: Route<Params, z.ZodObject, z.ZodType, z.ZodObject<Record<Name, z.ZodArray<Item>>>>,
  name: Name,
  handler: (call: { params: z.output<Params> }) => Promise<AsyncIterable<z.input<Item>>>,
): void {
  const item = route.reply.shape[name].element
  app[route.method](expressPath(route.path), async (request, response) => {
    const items = await handler(readCall(route, request, response) as { params: z.output<Params> })
    response.status(route.status).type('json')
    const content = asObject(name, checked(items, item))
    await pipeline(Readable.from(content, { objectMode: false }), response).catch(() => response.destroy())
  })
}

async function* checked(items: AsyncIterable<unknown>, schema: z.ZodType): AsyncGenerator<unknown> {
  const slices = new Slices()
  for await (const item of items) {
    yield schema.parse(item)
    if (slices.due()) await slices.turn()
  }
}

async function* asObject(name: string, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `{${JSON.stringify(name)}:`
  yield* asArray(items)
  yield '}'
}

async function* asArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '['
  for await (const item of items) {
    yield `${separator}${JSON.stringify(item)}\n`
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
