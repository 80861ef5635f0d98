import { WebSocket } from 'ws'
import { wireEvent } from '../../../server/api/agent-server/events.ts'
import type { GatewayCaller } from './gateway.ts'

// Tests look into it freely.
// biome-ignore lint/suspicious/noExplicitAny: every kind has other fields
type Frame = any

const PATIENCE_MS = 80_000

/** Watches a conversation, or the commands, through the gateway's socket; the key comes in the first frame. */
export async function watchGateway(caller: GatewayCaller, conversationId: string, query = '') {
  return watchSocket(caller, `/sockets/events/${conversationId}${query}`)
}

export async function watchSocket(caller: GatewayCaller, path: string) {
  const socket = new WebSocket(caller.url.replace('http', 'ws') + path)
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  const closed = new Promise<number>(resolve => socket.on('close', resolve))
  socket.on('message', data => {
    frames.push(wireEvent.partial({ source: true }).parse(JSON.parse(String(data))))
    for (const look of [...waiting]) look()
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.send(JSON.stringify({ type: 'auth', session_api_key: caller.key }))
  const until = (fits: (frame: Frame) => boolean, what = 'a frame') =>
    new Promise<Frame>((resolve, reject) => {
      const look = () => {
        const found = frames.find(fits)
        if (!found) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(found)
      }
      const seen = () => frames.map(frame => `${frame.kind} ${frame.key ?? ''} ${frame.detail ?? ''}`).join(', ')
      const timer = setTimeout(() => reject(new Error(`${what} did not come. Seen: ${seen()}`)), PATIENCE_MS)
      waiting.add(look)
      look()
    })
  return {
    frames,
    until,
    /** Told by a state update or by the full state, whichever comes. */
    untilStatus: (status: string) =>
      until(
        frame =>
          (frame.key === 'execution_status' && frame.value === status) ||
          (frame.key === 'full_state' && frame.value.execution_status === status),
        `The status ${status}`,
      ),
    send: (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    closed,
    close: () => {
      socket.close()
      return closed
    },
  }
}
