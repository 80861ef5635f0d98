import type { WebSocket } from 'ws'
import type { Bus } from '../../bus.ts'
import { sendTo } from './subscribers.ts'

/** The feed of what changed, for one client. */
export function serveUpdates(socket: WebSocket, bus: Pick<Bus, 'subscribe'>): void {
  const unsubscribe = bus.subscribe(change => sendTo(socket, JSON.stringify(change)))
  socket.on('close', unsubscribe)
}
