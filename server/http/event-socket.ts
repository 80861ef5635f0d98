import type { WebSocket } from 'ws'
import { sendMessageRequest } from '../api/events.ts'
import type { ConversationService } from '../conversation/service.ts'
import { isAppError, messageOf } from '../errors.ts'
import { newEventId } from '../ids.ts'
import { parseLax } from './coerce.ts'
import type { Inbox } from './inbox.ts'
import { CLOSE_CODES, keyInFrame } from './socket-protocol.ts'

const MAX_SUBSCRIBERS = 50
/** A subscriber with this much unsent data is dropped rather than kept in memory. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024

/** One client on one conversation; the protocol stands at `eventFrame` in the contract. */
export function serveEvents(
  socket: WebSocket,
  options: {
    conversations: ConversationService
    subscribers: Map<string, number>
    inbox: Inbox
    id: string
    query: URLSearchParams
  },
): void {
  const { conversations, subscribers, query } = options
  const id = conversations.find(options.id).id
  const count = subscribers.get(id) ?? 0
  if (count >= MAX_SUBSCRIBERS) return socket.close(CLOSE_CODES.tooMany, 'Too many subscribers')
  subscribers.set(id, count + 1)
  const unsubscribe = conversations.subscribe(id, fromSeq(query), ({ body }) => {
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.close(CLOSE_CODES.tooMany, 'Too slow')
    else if (socket.readyState === socket.OPEN) socket.send(body)
  })
  options.inbox.handle(text => receive(socket, conversations, id, text))
  socket.on('close', () => {
    unsubscribe()
    const left = (subscribers.get(id) ?? 1) - 1
    if (left > 0) subscribers.set(id, left)
    else subscribers.delete(id)
  })
}

/** `after_seq=N` resumes; `resend_mode=all` or `resend_all=true` starts from the beginning; otherwise only what comes. */
function fromSeq(query: URLSearchParams): number | 'now' {
  const after = query.get('after_seq')
  if (after !== null && /^-?\d{1,15}$/.test(after)) return Math.max(0, Number(after) + 1)
  const all = query.get('resend_mode') === 'all' || (!query.has('resend_mode') && query.get('resend_all') === 'true')
  return all ? 0 : 'now'
}

/** A client frame is a message to the agent, which runs. A repeated authentication frame is ignored. */
function receive(socket: WebSocket, conversations: ConversationService, id: string, text: string): void {
  if (keyInFrame(text) !== undefined) return
  try {
    const message = parseLax(sendMessageRequest, JSON.parse(text))
    if (!message.success) return fail(socket, 'bad_request', 'The frame is not a message: send {role, content}.')
    conversations.send(id, { ...message.data, run: true })
  } catch (error) {
    if (error instanceof SyntaxError) return fail(socket, 'bad_request', 'The frame is not JSON.')
    fail(socket, isAppError(error) ? error.code : 'internal', isAppError(error) ? messageOf(error) : 'Internal error')
  }
}

function fail(socket: WebSocket, code: string, detail: string): void {
  socket.send(
    JSON.stringify({
      kind: 'ServerErrorEvent',
      id: newEventId(),
      timestamp: new Date().toISOString(),
      source: 'environment',
      code,
      detail,
    }),
  )
}
