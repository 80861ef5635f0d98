import { WebSocket } from 'ws'
import type { Event, EventKind, EventOf } from '../../../server/api/event/events.ts'
import { type EventFrame, eventFrame, type FullStateEvent } from '../../../server/api/event/frames.ts'

export interface Watch {
  frames: EventFrame[]
  /** Stored events so far. */
  events(): Event[]
  of<Kind extends EventKind>(kind: Kind): EventOf<Kind>[]
  /** Resolves with the first frame, past or to come, that fits. */
  until(fits: (frame: EventFrame) => boolean, what?: string, patienceMs?: number): Promise<EventFrame>
  /** Resolves when the conversation has this status, seen in a state update at or after `fromSeq`. */
  untilStatus(status: string, fromSeq?: number): Promise<EventFrame>
  send(frame: unknown): void
  close(): Promise<number>
  readonly closed: Promise<number>
}

const PATIENCE_MS = 80_000

/** Watches a conversation through its socket, from the beginning unless `afterSeq` is given. Every frame is validated. */
export async function watch(
  service: { url: string; key: string },
  conversationId: string,
  afterSeq = -1,
): Promise<Watch> {
  const url = `${service.url.replace('http', 'ws')}/sockets/events/${conversationId}?after_seq=${afterSeq}`
  const socket = new WebSocket(url)
  const frames: EventFrame[] = []
  const waiting = new Set<() => void>()
  const closed = new Promise<number>(resolve => socket.on('close', resolve))
  socket.on('message', data => {
    frames.push(eventFrame.parse(JSON.parse(String(data))))
    for (const look of [...waiting]) look()
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.send(JSON.stringify({ type: 'auth', session_api_key: service.key }))

  const events = () => frames.filter((frame): frame is Event => 'seq' in frame)
  const until = (fits: (frame: EventFrame) => boolean, what = 'a frame', patienceMs = PATIENCE_MS) =>
    new Promise<EventFrame>((resolve, reject) => {
      const look = () => {
        const found = frames.find(fits)
        if (!found) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(found)
      }
      const timer = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`${what} did not come. Seen: ${frames.map(describeFrame).join(', ')}`))
      }, patienceMs)
      waiting.add(look)
      look()
    })
  return {
    frames,
    events,
    of: kind => events().filter((event): event is EventOf<typeof kind> => event.kind === kind),
    until,
    untilStatus: (status, fromSeq = 0) => until(frame => isStatus(frame, status, fromSeq), `The status ${status}`),
    send: frame => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    closed,
    close: () => {
      socket.close()
      return closed
    },
  }
}

function isStatus(frame: EventFrame, status: string, fromSeq: number): boolean {
  if (frame.kind !== 'ConversationStateUpdateEvent' || !('seq' in frame)) return false
  return frame.key === 'execution_status' && frame.value === status && frame.seq >= fromSeq
}

export function isFullState(frame: EventFrame): frame is FullStateEvent {
  return frame.kind === 'ConversationStateUpdateEvent' && frame.key === 'full_state'
}

function describeFrame(frame: EventFrame): string {
  if (frame.kind === 'ConversationStateUpdateEvent') return `${frame.key}=${JSON.stringify(frame.value).slice(0, 60)}`
  if (frame.kind === 'ConversationErrorEvent') return `${frame.kind} ${frame.detail}`
  return frame.kind
}
