import { z } from 'zod'
import { emitSchemas, type JsonSchema, reachableFrom, withoutMeta } from './json-schemas.ts'
import { ABOUT, type DocumentOptions } from './openapi.ts'
import type { SocketChannel, SocketMessage } from './socket-channels.ts'

export interface AsyncApi {
  asyncapi: '3.1.0'
  info: object
  defaultContentType: string
  servers: Record<string, object>
  channels: Record<string, object>
  operations: Record<string, object>
  components: { messages: Record<string, object>; schemas: Record<string, JsonSchema>; securitySchemes: object }
}

export interface SocketContract {
  title: string
  description: string
  channels: Readonly<Record<string, SocketChannel>>
  /** Those that have a name of their own in the document. */
  schemas: ReadonlyMap<string, z.ZodType>
}

/** The AsyncAPI 3 document of the sockets, made from the schemas that frames are parsed with. */
export function createAsyncApi(contract: SocketContract, { url, version }: DocumentOptions): AsyncApi {
  const channels = Object.entries(contract.channels)
  const messages = channels.flatMap(([name, channel]) => messagesOf(name, channel))
  const emitted = {
    send: emitSchemas(schemasOf(contract, messages, 'send'), 'output', 'draft-7'),
    receive: emitSchemas(schemasOf(contract, messages, 'receive'), 'input', 'draft-7'),
  }
  const named = Object.fromEntries(
    messages.map(({ id, action, message }) => [
      id,
      {
        name: message.event ?? id,
        title: id,
        summary: message.summary,
        ...(message.media && { contentType: message.media }),
        payload: emitted[action].reference(message.schema, id),
        ...(message.headers && { headers: toSchema(message.headers) }),
      },
    ]),
  )
  return {
    asyncapi: '3.1.0',
    info: { title: `${contract.title} sockets`, version, description: contract.description, ...ABOUT },
    defaultContentType: 'application/json',
    servers: Object.fromEntries(
      [...new Set(channels.map(([, { protocol }]) => protocol))].map(protocol => [
        keyOf(protocol),
        { host: new URL(url).host, protocol, description: PROTOCOLS[protocol], security: SECURITY },
      ]),
    ),
    channels: Object.fromEntries(channels.map(([name, channel]) => [name, toChannel(name, channel)])),
    operations: Object.fromEntries(channels.flatMap(([name, channel]) => operationsOf(name, channel))),
    components: {
      messages: named,
      schemas: reachableFrom(named, { ...emitted.send.components, ...emitted.receive.components }),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const PROTOCOLS = {
  ws: 'WebSocket. One frame is one JSON text, unless its message has another content type: it is binary then.',
  'socket.io': 'Socket.IO 4.',
  http: 'Streamable HTTP.',
}

const SECURITY_SCHEMES = {
  key: {
    type: 'httpApiKey',
    in: 'header',
    name: 'X-Session-API-Key',
    description: 'The key of Settings › API, or the session_api_key of a sandbox at the gateway.',
  },
  query: {
    type: 'httpApiKey',
    in: 'query',
    name: 'session_api_key',
    description: 'The same key in the address, for clients that can set no header.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
}

const SECURITY = Object.keys(SECURITY_SCHEMES).map(name => ({ $ref: `#/components/securitySchemes/${name}` }))

/** From the service's side, as AsyncAPI says it. */
type Action = 'send' | 'receive'

interface NamedMessage {
  id: string
  action: Action
  message: SocketMessage
}

function messagesOf(channel: string, { sends, takes }: SocketChannel): NamedMessage[] {
  const named = (messages: SocketChannel['sends'], action: Action) =>
    Object.entries(messages).map(([name, message]) => ({ id: idOf(channel, name), action, message }))
  return [...named(sends, 'send'), ...named(takes, 'receive')]
}

function idOf(channel: string, message: string): string {
  return `${channel}${message
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`
}

function* schemasOf(
  { schemas }: SocketContract,
  messages: readonly NamedMessage[],
  action: Action,
): Generator<readonly [string, z.ZodType]> {
  yield* schemas
  for (const one of messages) if (one.action === action) yield [one.id, one.message.schema]
}

function toChannel(name: string, channel: SocketChannel): object {
  const { address, title, description, protocol, params, query } = channel
  return {
    address,
    title,
    description,
    servers: [{ $ref: `#/servers/${keyOf(protocol)}` }],
    messages: Object.fromEntries(
      messagesOf(name, channel).map(({ id }) => [id, { $ref: `#/components/messages/${id}` }]),
    ),
    ...(params && {
      parameters: Object.fromEntries(
        Object.entries(params.shape).map(([key, field]) => [
          key,
          { description: z.globalRegistry.get(field)?.description },
        ]),
      ),
    }),
    ...(query && { bindings: { ws: { query: toSchema(query), bindingVersion: '0.1.0' } } }),
  }
}

function toSchema(schema: z.ZodObject): JsonSchema {
  return withoutMeta(z.toJSONSchema(schema, { io: 'input', target: 'draft-7', unrepresentable: 'any' }))
}

function operationsOf(name: string, channel: SocketChannel): [string, object][] {
  const messages = messagesOf(name, channel)
  return (['send', 'receive'] as const).map(action => [
    `${action}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    {
      action,
      channel: { $ref: `#/channels/${name}` },
      title: action === 'send' ? 'What the service sends' : 'What a client sends',
      summary: `${action === 'send' ? 'The service sends' : 'A client sends'} over ${channel.address}`,
      messages: messages
        .filter(one => one.action === action)
        .map(({ id }) => ({ $ref: `#/channels/${name}/messages/${id}` })),
    },
  ])
}

function keyOf(protocol: SocketChannel['protocol']): string {
  return protocol.replace(/\W/g, '')
}
