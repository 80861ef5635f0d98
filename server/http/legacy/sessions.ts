import type { Server, Socket } from 'socket.io'
import { BOUNDS } from '../../domain/bounds.ts'
import { UnauthenticatedClients } from '../core/unauthenticated-clients.ts'
import { FrameRate } from '../sockets/frame-rate.ts'

/** A session of Engine.IO, below Socket.IO: https://socket.io/docs/v4/engine-io-protocol/ */
export type Session = Socket['conn']

/** What is public in effect, absent from the types: a transport of long polling bounds its bodies by it. */
interface Polling {
  maxHttpBufferSize?: number
}

/**
 * Bounds what a client may send over a session. Anybody gets one, since the key is asked for on it: until a key was shown
 * a session is one of few, and what it sends is small.
 */
export class Sessions {
  readonly #unauthenticated = new UnauthenticatedClients<Session>(BOUNDS.connectionsWithoutKey.limit, session =>
    session.close(true),
  )
  readonly #strangers = new WeakSet<Session>()

  constructor(io: Server) {
    io.engine.on('connection', (session: Session) => this.#watch(session))
  }

  /** It has shown a valid key. */
  welcome(session: Session): void {
    this.#unauthenticated.remove(session)
    this.#strangers.delete(session)
    boundBodies(session, BOUNDS.socketFrame.limit)
  }

  #watch(session: Session): void {
    const rate = new FrameRate()
    this.#strangers.add(session)
    this.#unauthenticated.add(session)
    boundBodies(session, BOUNDS.strangersFrame.limit)
    // Comes before the packet is read.
    session.on('packet', ({ data }: { data?: unknown }) => {
      const isLarge = typeof data === 'string' && data.length > BOUNDS.strangersFrame.limit
      if (!rate.allows() || (isLarge && this.#strangers.has(session))) session.close(true)
    })
    session.once('close', () => this.#unauthenticated.remove(session))
  }
}

function boundBodies({ transport }: Session, limit: number): void {
  const polling = transport as Session['transport'] & Polling
  if (polling.maxHttpBufferSize !== undefined) polling.maxHttpBufferSize = limit
}
