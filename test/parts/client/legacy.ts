import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { io, type Socket } from 'socket.io-client'
import type { LegacyEvent } from '../../../server/api/legacy/events.ts'
import { expectNamed, operationOf } from '../operation/named-failures.ts'
import { projectFolder } from '../project-folder.ts'

interface Service {
  url: string
  key: string
}

export interface Reply {
  status: number
  body: unknown
  headers: Headers
}

/** Calls a route of the legacy generation as any HTTP client would. */
export async function call(service: Service, method: string, path: string, body?: unknown): Promise<Reply> {
  const form = body instanceof FormData
  const reply = await fetch(service.url + path, {
    method,
    headers: { 'X-Session-API-Key': service.key, ...(!form && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
  })
  const json = reply.headers.get('content-type')?.includes('json')
  const content = json ? await reply.json() : Buffer.from(await reply.arrayBuffer())
  const route = operationOf('app', method, path)
  if (route) expectNamed(route, { status: reply.status, body: content })
  return { status: reply.status, headers: reply.headers, body: content }
}

const published: { replies: Record<string, Record<string, object>>; components: object } = JSON.parse(
  readFileSync(join(projectFolder, 'test/api/data/legacy-openapi.json'), 'utf8'),
)
/** `get /path` for every published operation. */
export const PUBLISHED: readonly string[] = Object.entries(published.replies).flatMap(([path, methods]) =>
  Object.keys(methods).map(method => `${method} ${path}`),
)
const ajv = new Ajv({ strict: false, validateFormats: false })

/** What the published schema of the route has against a reply; undefined when it fits. */
export function problemOf(method: string, path: string, body: unknown): string | undefined {
  const schema = published.replies[path]?.[method]
  if (!schema) throw new Error(`${method} ${path} is not published.`)
  const validate = ajv.compile({ ...schema, components: published.components })
  return validate(body) ? undefined : ajv.errorsText(validate.errors)
}

export type Frame =
  | LegacyEvent
  | { status_update: true; type: string; message: string; id?: string; conversation_title?: string }
  | { error: true; message: string }

export interface LegacyWatch {
  socket: Socket
  frames: Frame[]
  events(): LegacyEvent[]
  /** Resolves with the first frame, past or to come, that fits. */
  until(fits: (frame: Frame) => boolean, what: string): Promise<Frame>
  untilState(state: string): Promise<Frame>
  close(): void
}

const PATIENCE_MS = 80_000

/** Connects as existing clients do. */
export function watchLegacy(service: Service, id: string, query: Record<string, string> = {}): LegacyWatch {
  const socket = io(service.url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    query: {
      latest_event_id: '-1',
      conversation_id: id,
      providers_set: '',
      session_api_key: service.key,
      ...query,
    },
  })
  const frames: Frame[] = []
  const looks = new Set<() => void>()
  socket.on('oh_event', (frame: Frame) => {
    frames.push(frame)
    for (const look of [...looks]) look()
  })
  const until = (fits: (frame: Frame) => boolean, what: string) =>
    new Promise<Frame>((resolve, reject) => {
      const timer = setTimeout(() => {
        looks.delete(look)
        reject(new Error(`${what} did not come. Seen: ${JSON.stringify(frames).slice(0, 2000)}`))
      }, PATIENCE_MS)
      const look = () => {
        const found = frames.find(fits)
        if (!found) return
        clearTimeout(timer)
        looks.delete(look)
        resolve(found)
      }
      looks.add(look)
      look()
    })
  return {
    socket,
    frames,
    events: () => frames.filter((frame): frame is LegacyEvent => 'id' in frame && typeof frame.id === 'number'),
    until,
    untilState: state => until(frame => isState(frame, state), `The state ${state}`),
    close: () => socket.disconnect(),
  }
}

function isState(frame: Frame, state: string): boolean {
  return 'observation' in frame && frame.observation === 'agent_state_changed' && frame.extras.agent_state === state
}

/** The message with which a connection is refused. */
export function refusal(watch: LegacyWatch): Promise<string> {
  return new Promise((resolve, reject) => {
    watch.socket.on('connect', () => reject(new Error('It was let in.')))
    watch.socket.on('connect_error', error => resolve(error.message))
  })
}
