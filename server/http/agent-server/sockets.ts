import type { Server } from 'node:http'
import type { WebSocket } from 'ws'
import type { Access } from '../../agent-server/access.ts'
import { localTime, toWire } from '../../agent-server/event/wire.ts'
import type { GatewayServices } from '../../agent-server/services.ts'
import { type BashErrorEvent, executeBashRequest } from '../../api/agent-server/bash.ts'
import { wireTime } from '../../api/agent-server/events.ts'
import { gatewayMessage } from '../../api/agent-server/start-request.ts'
import { type EventFrame, eventFrame, isOwnFrame } from '../../api/event/frames.ts'
import type { EventDialect } from '../../api/event-dialects.ts'
import type { ConversationService } from '../../conversation/service.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import { newEventId } from '../../domain/ids.ts'
import type { EventListener } from '../../event/log.ts'
import type { Log } from '../../log.ts'
import type { RequestGate } from '../core/request-gate.ts'
import { type Failure, messageIn, readerOf, receive, serverError, wantsAllEvents } from '../sockets/event-socket.ts'
import { type ServeSocket, type SocketServer, serveSockets } from '../sockets/socket-server.ts'
import { backlogOf, Subscribers, sendTo } from '../sockets/subscribers.ts'
import { serveTerminal, terminalIn } from '../sockets/terminal-socket.ts'
import type { Inbox } from '../v1/inbox.ts'

export interface GatewaySocketDependencies {
  gate: RequestGate
  admit(key: string): Promise<Access | undefined>
  services: GatewayServices
  conversations: Pick<ConversationService, 'subscribe'>
  log: Log
}

/** The sockets of the gateway's port. */
export function attachGatewaySockets(server: Server, dependencies: GatewaySocketDependencies): SocketServer {
  const subscribers = new Subscribers()
  const frames = { current: new Frames(), '2025': new Frames() }
  const { gate, admit, log } = dependencies
  return serveSockets<Access>(server, {
    gate,
    admit,
    log,
    find: url => findSocket(url, { subscribers, frames }, dependencies),
  })
}

function findSocket(
  url: URL,
  { subscribers, frames }: { subscribers: Subscribers; frames: Record<EventDialect, Frames> },
  dependencies: GatewaySocketDependencies,
): ServeSocket<Access> | undefined {
  if (url.pathname === '/sockets/bash-events') {
    return (socket, inbox, access) => serveBash(socket, inbox, { ...dependencies, access, query: url.searchParams })
  }
  const terminal = terminalIn(url.pathname)
  if (terminal !== undefined) {
    return (socket, inbox, access) => {
      const sandboxId = access.kind === 'sandbox' ? access.sandboxId : undefined
      serveTerminal(socket, inbox, { terminals: dependencies.services.terminals, subscribers, id: terminal, sandboxId })
    }
  }
  const asked = /^\/sockets\/events\/([^/]{1,100})$/.exec(url.pathname)?.[1]
  if (asked === undefined) return undefined
  return (socket, inbox, access) => {
    const { id } = dependencies.services.conversations.find(access, asked)
    if (!subscribers.join(socket, id)) return
    const dialect = dependencies.services.events.dialectOf(readerOf(url.searchParams))
    return serveEvents(socket, inbox, {
      ...dependencies,
      frames: frames[dialect],
      dialect,
      access,
      id,
      query: url.searchParams,
    })
  }
}

type BashSubscription = Pick<Subscription, 'services' | 'access' | 'query'>

/** What commands say; a client frame is a command. */
async function serveBash(socket: WebSocket, inbox: Inbox, { services, access, query }: BashSubscription) {
  const fail = (error: unknown) => {
    const code = isAppError(error) ? error.code : 'internal'
    sendTo(socket, JSON.stringify(bashError({ code, detail: messageOf(error) })))
  }
  const signal = new AbortController().signal
  inbox.handle(text => {
    const start = (frame: unknown) => {
      const command = messageIn(executeBashRequest, frame, 'a command: send {command, cwd, timeout}')
      services.bash.start(access, command, signal).catch(fail)
    }
    receive(socket, text, start, bashError)
  })
  try {
    const history = await services.bash.history(access, signal)
    socket.on(
      'close',
      history.subscribe(since(query), event => sendTo(socket, JSON.stringify(event))),
    )
  } catch (error) {
    fail(error)
  }
}

function bashError({ code, detail }: Failure): BashErrorEvent {
  return { kind: 'BashError', id: newEventId(), timestamp: localTime(new Date().toISOString()), code, detail }
}

/** The local time from which past commands are wanted. */
function since(query: URLSearchParams): string | null {
  if (query.get('resend_mode') === 'all') return ''
  const after = wireTime.safeParse(query.get('after_timestamp'))
  return query.get('resend_mode') === 'since' && after.success ? localTime(after.data) : null
}

interface Subscription extends GatewaySocketDependencies {
  /** Of this dialect. */
  frames: Frames
  dialect: EventDialect
  access: Access
  id: string
  query: URLSearchParams
}

/** First the full state, then the history if asked for, then what comes; the full state again after each run. */
async function serveEvents(socket: WebSocket, inbox: Inbox, subscription: Subscription): Promise<void> {
  const { services, conversations, access, id } = subscription
  // The full state tells what the log says.
  await services.conversations.info(services.conversations.find(access, id))
  if (socket.readyState !== socket.OPEN) return
  const send: EventListener = ({ body }) => {
    const text = subscription.frames.textOf(body, frame => toFrame(frame, subscription))
    if (text !== undefined) sendTo(socket, text)
  }
  const unsubscribe = conversations.subscribe(id, fromSeq(subscription), send, backlogOf(socket))
  socket.on('close', unsubscribe)
  inbox.handle(text =>
    receive(
      socket,
      text,
      frame => services.conversations.send(access, id, { ...messageIn(gatewayMessage, frame), run: true }),
      inLocalTime,
    ),
  )
}

function inLocalTime(failure: Failure) {
  const event = serverError(failure)
  return { ...event, timestamp: localTime(event.timestamp) }
}

/** All subscribers of a conversation in one dialect get the same frame one after the other: it is made for the first of them. */
class Frames {
  #last: { body: string; text: string | undefined } | undefined

  textOf(body: string, make: (frame: EventFrame) => unknown): string | undefined {
    if (this.#last?.body === body) return this.#last.text
    const frame = make(eventFrame.parse(JSON.parse(body)))
    this.#last = { body, text: frame === undefined ? undefined : JSON.stringify(frame) }
    return this.#last.text
  }
}

function toFrame(frame: EventFrame, { services, access, dialect, id }: Subscription): unknown {
  if (isOwnFrame(frame)) return undefined
  if (frame.kind !== 'ConversationStateUpdateEvent' || frame.key !== 'full_state') return toWire(frame, dialect)
  return { ...toWire(frame), value: services.conversations.infoNow(services.conversations.find(access, id)) }
}

/** `resend_mode` wins over `resend_all`; `since` takes the events at or after `after_timestamp`. */
function fromSeq({ services, access, id, query }: Subscription): number | 'now' {
  const mode = query.get('resend_mode') ?? (wantsAllEvents(query) ? 'all' : null)
  if (mode === 'all') return 0
  const after = wireTime.safeParse(query.get('after_timestamp'))
  if (mode !== 'since' || !after.success) return 'now'
  return services.events.firstSince(services.conversations.find(access, id), after.data) ?? 'now'
}
