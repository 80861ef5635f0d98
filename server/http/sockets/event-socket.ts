import type { WebSocket } from 'ws'
import type { z } from 'zod'
import { dialectOf, type EventReader } from '../../agent-server/event/dialect.ts'
import { toWire } from '../../agent-server/event/wire.ts'
import { sendMessageRequest } from '../../api/event/events.ts'
import { eventFrame, isOwnFrame } from '../../api/event/frames.ts'
import { eventDialect } from '../../api/event-dialects.ts'
import type { ConversationService } from '../../conversation/service.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import { newEventId } from '../../domain/ids.ts'
import type { EventListener } from '../../event/log.ts'
import type { SettingsService } from '../../settings/service.ts'
import { describeJsonProblem, problemOfJson } from '../../text/json-bounds.ts'
import { parseLax } from '../mount/coerce.ts'
import type { Inbox } from '../v1/inbox.ts'
import { keyInFrame } from './socket-protocol.ts'
import { backlogOf, type Subscribers, sendTo } from './subscribers.ts'

/** One client on one conversation; the protocol stands at `eventFrame` in the contract. */
export function serveEvents(
  socket: WebSocket,
  options: {
    conversations: ConversationService
    subscribers: Subscribers
    inbox: Inbox
    id: string
    query: URLSearchParams
    settings: Pick<SettingsService, 'read'>
  },
): void {
  const { conversations, subscribers, query, settings } = options
  const id = conversations.find(options.id).id
  if (!subscribers.join(socket, id)) return
  const dialect = dialectOf({ ...readerOf(query), port: 'app' }, settings.read().event_dialect)
  const send: EventListener = ({ body }) => {
    const text = dialect === 'current' ? body : frameOf2025(body)
    if (text !== undefined) sendTo(socket, text)
  }
  const unsubscribe = conversations.subscribe(id, fromSeq(query), send, backlogOf(socket))
  socket.on('close', unsubscribe)
  options.inbox.handle(text =>
    receive(socket, text, frame => conversations.send(id, { ...messageIn(sendMessageRequest, frame), run: true })),
  )
}

/** `after_seq=N` resumes; `resend_mode=all` or `resend_all=true` starts from the beginning; otherwise only what comes. */
function fromSeq(query: URLSearchParams): number | 'now' {
  const after = query.get('after_seq')
  if (after !== null && /^-?\d{1,15}$/.test(after)) return Math.max(0, Number(after) + 1)
  const all = query.get('resend_mode') === 'all' || (!query.has('resend_mode') && wantsAllEvents(query))
  return all ? 0 : 'now'
}

/** As existing clients ask for what is stored. */
export function wantsAllEvents(query: URLSearchParams): boolean {
  return /^(true|1)$/i.test(query.get('resend_all') ?? '')
}

/** What the address of a socket says of who reads its events. */
export function readerOf(query: URLSearchParams): Omit<EventReader, 'port'> {
  return {
    asked: eventDialect.safeParse(query.get('event_dialect')).data,
    resendAll: wantsAllEvents(query) && !query.has('resend_mode'),
  }
}

/** undefined for what agent servers have not. */
function frameOf2025(body: string): string | undefined {
  const frame = eventFrame.parse(JSON.parse(body))
  if (isOwnFrame(frame)) return undefined
  return JSON.stringify(toWire(frame, '2025'))
}

/** A client frame is a message to the agent, which runs. A repeated authentication frame is ignored. */
export function receive(
  socket: WebSocket,
  text: string,
  accept: (frame: unknown) => void,
  toFrame: (failure: Failure) => object = serverError,
): void {
  if (keyInFrame(text) !== undefined) return
  try {
    accept(parseFrame(text))
  } catch (error) {
    sendTo(socket, JSON.stringify(toFrame(failureOf(error))))
  }
}

/** @throws AppError bad_request, SyntaxError */
function parseFrame(text: string): unknown {
  const problem = problemOfJson(Buffer.from(text))
  if (problem) throw new AppError('bad_request', `The frame is ${describeJsonProblem(problem)}. Send less at once.`)
  return JSON.parse(text)
}

/** Why a frame was refused. */
export interface Failure {
  code: string
  detail: string
}

export function failureOf(error: unknown): Failure {
  if (error instanceof SyntaxError) return { code: 'bad_request', detail: 'The frame is not JSON.' }
  return isAppError(error)
    ? { code: error.code, detail: messageOf(error) }
    : { code: 'internal', detail: 'Internal error' }
}

export function serverError({ code, detail }: Failure) {
  const timestamp = new Date().toISOString()
  return { kind: 'ServerErrorEvent', id: newEventId(), timestamp, source: 'environment', code, detail }
}

/** @throws AppError bad_request */
export function messageIn<Schema extends z.ZodType>(
  schema: Schema,
  frame: unknown,
  wanted = 'a message: send {role, content}',
): z.output<Schema> {
  const message = parseLax(schema, frame)
  if (message.success) return message.data
  throw new AppError('bad_request', `The frame is not ${wanted}.`)
}
