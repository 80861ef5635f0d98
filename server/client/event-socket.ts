import { z } from 'zod'
import { type EventFrame, eventFrame } from '../api/event/frames.ts'
import { type Connect, reconnectDelay } from './updates-socket.ts'

/** `busy`: the service took no more listeners, or this one was too slow. Refusals are final, the rest is tried again. */
export type EventSocketState =
  | { kind: 'connecting' | 'open' | 'closed' }
  | { kind: 'waiting'; reason: 'lost' | 'busy' }
  | { kind: 'refused'; reason: 'unauthorized' | 'unknown_conversation' }

export interface EventSocketOptions {
  /** The service's address, `http://127.0.0.1:3737`. */
  url: string
  key: string
  conversationId: string
  /** The newest sequence number that the caller has; -1 for none. */
  afterSeq: number
  connect: Connect
  /** Each connection begins with this: what follows begins after that sequence number. */
  onResumed(afterSeq: number): void
  /** Stored events come once each and without a gap, also across a reconnect. */
  onFrame(frame: EventFrame): void
  onState(state: EventSocketState): void
}

export interface EventSocket {
  close(): void
}

const REFUSALS: Readonly<Record<number, 'unauthorized' | 'unknown_conversation'>> = {
  4001: 'unauthorized',
  4004: 'unknown_conversation',
}
const TRY_AGAIN_LATER = 1013
const BUSY_DELAY_MS = 5_000

/** Any frame with a sequence number counts, also one of a kind that this window does not know yet. */
const sequenced = z.object({ seq: z.int().min(0) })

/** Follows a conversation's events; reconnects by itself until it is closed or refused. */
export function openEventSocket(options: EventSocketOptions): EventSocket {
  let lastSeq = options.afterSeq
  let attempt = 0
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false

  function connect(): void {
    options.onState({ kind: 'connecting' })
    const opening = options.connect(addressOf(options, lastSeq))
    socket = opening
    opening.onopen = () => {
      opening.send(JSON.stringify({ type: 'auth', session_api_key: options.key }))
      options.onResumed(lastSeq)
    }
    opening.onmessage = ({ data }) => socket === opening && received(data)
    opening.onclose = ({ code }) => socket === opening && lost(code)
  }

  function received(data: unknown): void {
    const json = parseJson(data)
    const seq = sequenced.safeParse(json).data?.seq
    // A gap can only come from a fault on the way; what follows it is asked for again.
    if (seq !== undefined && seq > lastSeq + 1) reconnect()
    else if (seq === undefined || seq > lastSeq) pass(json, seq)
  }

  function pass(json: unknown, seq = lastSeq): void {
    lastSeq = seq
    const frame = eventFrame.safeParse(json)
    if (!frame.success) return
    if (frame.data.kind === 'ConversationStateUpdateEvent' && frame.data.key === 'full_state') opened()
    options.onFrame(frame.data)
  }

  /** The first frame is the sign that the key was taken; only then the waits begin anew. */
  function opened(): void {
    attempt = 0
    options.onState({ kind: 'open' })
  }

  function reconnect(): void {
    const broken = socket
    lost()
    broken?.close()
  }

  function lost(code?: number): void {
    socket = undefined
    const refusal = code === undefined ? undefined : REFUSALS[code]
    if (refusal) options.onState({ kind: 'refused', reason: refusal })
    else if (!closed) wait(code === TRY_AGAIN_LATER)
  }

  function wait(busy: boolean): void {
    options.onState({ kind: 'waiting', reason: busy ? 'busy' : 'lost' })
    timer = setTimeout(connect, busy ? BUSY_DELAY_MS : reconnectDelay(attempt, Math.random()))
    attempt += 1
  }

  connect()
  return {
    close() {
      closed = true
      clearTimeout(timer)
      options.onState({ kind: 'closed' })
      socket?.close()
      socket = undefined
    },
  }
}

function addressOf({ url, conversationId }: EventSocketOptions, afterSeq: number): string {
  const address = new URL(`/sockets/events/${encodeURIComponent(conversationId)}`, url.replace(/^http/, 'ws'))
  address.searchParams.set('after_seq', String(afterSeq))
  return address.href
}

function parseJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
