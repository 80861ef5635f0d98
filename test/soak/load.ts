import { deleteAppConversation, sendMessage } from '../../server/api/v1/conversation/conversations.ts'
import { getConversationChanges, getConversationFile } from '../../server/api/v1/conversation/workspace.ts'
import { randomToken } from '../../server/domain/ids.ts'
import { LINES, taskText } from '../chaos/model.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { watch } from '../parts/client/watch.ts'
import type { Headless } from '../parts/service/headless.ts'
import { readLog } from '../parts/service/read-log.ts'

const TASKS = 3
const STEPS = 4
const RECONNECTS = 5

/** The whole life of one conversation: it is begun, works, is looked at by several clients, and is deleted. */
export async function liveOnce(service: Headless, name: string): Promise<void> {
  const { app_conversation_id: id, detail } = await startConversation(service, { title: `Soak ${randomToken(4)}` })
  if (!id) throw new Error(`The conversation did not start: ${detail}`)
  const params = { conversation_id: id }
  try {
    let seen = -1
    for (let task = 1; task <= TASKS; task++) {
      const seq = seen + 1
      await service.client.call(sendMessage, { params, body: said(taskText(`${name}-${task}`, STEPS)) })
      const socket = await watch(service, id, seen)
      await socket.untilStatus('finished', seq)
      seen = socket.events().at(-1)?.seq ?? seen
      await socket.close()
      await service.client.call(getConversationFile, { params, query: { file_path: LINES } })
    }
    for (let count = 0; count < RECONNECTS; count++) {
      const socket = await watch(service, id)
      await socket.until(frame => 'seq' in frame && frame.seq === seen, 'The last event')
      await socket.close()
    }
    await readLog(service, id)
    await service.client.call(getConversationChanges, { params, query: {} })
  } finally {
    await service.client.call(deleteAppConversation, { params })
  }
}
