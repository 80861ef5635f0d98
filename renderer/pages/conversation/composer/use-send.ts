import { useRef } from 'react'
import { interruptConversation, sendMessage } from '../../../../server/api/v1/conversation/conversations.ts'
import { queuePendingMessage } from '../../../../server/api/v1/conversation/pending-messages.ts'
import type { Client } from '../../../../server/client/client.ts'
import { useCommand } from '../../../components/use-command.ts'
import type { Attachment } from '../../../state/launch/attached-files.ts'

/** `stopped`: what the agent does now is ended, in the middle of its step. `finished`: it waits until the agent has finished. */
export type When = 'now' | 'stopped' | 'finished'

interface Message {
  text: string
  images: readonly Attachment[]
  when: When
  /** Puts what could not be sent back. */
  restore: () => void
}

/** Sends messages in the order in which they were written, also while one of them is on its way. */
export function useSend(id: string) {
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return useCommand(async (client, message: Message) => {
    const sent = last.current.then(() => deliver(client, id, message))
    last.current = sent.catch(() => {})
    try {
      await sent
    } catch (error) {
      message.restore()
      throw error
    }
  })
}

async function deliver(client: Client, id: string, { text, images, when }: Message): Promise<void> {
  const params = { conversation_id: id }
  const words = text === '' ? [] : [{ type: 'text' as const, text }]
  const pictures =
    images.length === 0 ? [] : [{ type: 'image' as const, image_urls: images.map(({ dataUrl }) => dataUrl) }]
  const body = { role: 'user' as const, content: [...words, ...pictures] }
  if (when === 'finished') {
    await client.call(queuePendingMessage, { params, body: { ...body, waits_for: 'agent' } })
    return
  }
  if (when === 'stopped') await client.call(interruptConversation, { params })
  await client.call(sendMessage, { params, body: { ...body, run: true } })
}
