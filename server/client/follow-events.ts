import type { EventFrame } from '../api/event/frames.ts'
import { ApiError, unreachable } from './api-error.ts'
import { type EventSocket, type EventSocketState, openEventSocket } from './event-socket.ts'
import type { Connect } from './updates-socket.ts'

export interface FollowOptions {
  /** The newest sequence number that the caller has; -1, the default, begins with the first event. */
  afterSeq?: number | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds without a connection after which it is given up with code `unreachable`; absent never gives up. */
  reconnectTimeoutMs?: number | undefined
  /** Each time that the connection is lost or there again. */
  onState?: ((state: EventSocketState) => void) | undefined
}

/** So many frames may wait for a slow reader; then the socket is closed, and opened again where the reader is. */
const MAX_WAITING = 5_000

/**
 * The frames of a conversation: stored events once each, in their order and without a gap, across any number of lost
 * connections, and live ones as they come. Ends when the caller leaves the loop.
 * @throws ApiError unauthorized, conversation_not_found, or unreachable; the signal's reason
 */
export async function* followEvents(
  service: { url: string; key: string; connect: Connect },
  conversationId: string,
  { afterSeq = -1, signal, reconnectTimeoutMs, onState }: FollowOptions = {},
): AsyncGenerator<EventFrame, void, void> {
  let frames: EventFrame[] = []
  let lastSeq = afterSeq
  let failure: unknown
  let wake = () => {}
  let socket: EventSocket | undefined
  let timeout: ReturnType<typeof setTimeout> | undefined

  const fail = (error: unknown) => {
    failure ??= error
    wake()
  }
  const abort = () => fail(signal?.reason)
  const open = () =>
    openEventSocket({
      ...service,
      conversationId,
      afterSeq: lastSeq,
      onResumed: () => {},
      onFrame: frame => {
        frames.push(frame)
        if ('seq' in frame) lastSeq = frame.seq
        if (frames.length >= MAX_WAITING) close()
        wake()
      },
      onState: state => {
        if (state.kind === 'refused') fail(REFUSALS[state.reason]())
        if (state.kind === 'open') stopPatience()
        if (state.kind === 'waiting' && reconnectTimeoutMs !== undefined) {
          timeout ??= setTimeout(() => fail(unreachable(undefined)), reconnectTimeoutMs)
        }
        if (state.kind !== 'closed') onState?.(state)
      },
    })
  const stopPatience = () => {
    clearTimeout(timeout)
    timeout = undefined
  }
  const close = () => {
    socket?.close()
    socket = undefined
  }

  signal?.throwIfAborted()
  signal?.addEventListener('abort', abort)
  try {
    while (true) {
      if (failure !== undefined) throw failure
      const ready = frames
      frames = []
      for (const frame of ready) {
        yield frame
        if (signal?.aborted) throw signal.reason
      }
      if (frames.length > 0) continue
      socket ??= open()
      await new Promise<void>(resolve => {
        wake = resolve
        if (failure !== undefined || frames.length > 0) resolve()
      })
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    stopPatience()
    close()
  }
}

const REFUSALS = {
  unauthorized: () => new ApiError({ status: 401, code: 'unauthorized', message: 'The service refused the key.' }),
  unknown_conversation: () =>
    new ApiError({ status: 404, code: 'conversation_not_found', message: 'There is no conversation with this id.' }),
}
