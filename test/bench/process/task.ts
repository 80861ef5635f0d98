import { WebSocket } from 'ws'
import { eventFrame } from '../../../server/api/event/frames.ts'
import { sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import { said } from '../../parts/client/conversation.ts'
import type { TestService } from '../../parts/service/service.ts'

/** Sends a message and waits for the end of the run, however busy the machine is. @returns milliseconds */
export async function runTask(
  service: Pick<TestService, 'url' | 'key' | 'client'>,
  id: string,
  text: string,
): Promise<number> {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/sockets/events/${id}`, {
    headers: { 'X-Session-API-Key': service.key },
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const ended = new Promise<string>((resolve, reject) => {
    socket.on('message', data => {
      // Only what tells the end is looked into.
      if (!String(data).includes('"key":"execution_status"')) return
      const frame = eventFrame.parse(JSON.parse(String(data)))
      const status = frame.kind === 'ConversationStateUpdateEvent' ? String(frame.value) : ''
      if (status !== 'running' && status !== 'idle') resolve(status)
    })
    socket.once('close', code => reject(new Error(`The socket was closed with ${code}.`)))
  })
  const started = performance.now()
  await service.client.call(sendMessage, { params: { conversation_id: id }, body: said(text) })
  const status = await ended
  const time = performance.now() - started
  socket.terminate()
  if (status !== 'finished') throw new Error(`The task ended as ${status}.`)
  return time
}
