import type { AppConversationStartTask } from '../api/app-conversations.ts'
import type { SendMessageRequest } from '../api/events.ts'
import { messageOf } from '../errors.ts'
import type { EventLog } from '../event/log.ts'
import type { Log } from '../log.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { Conversation, ConversationTable } from '../store/conversations.ts'
import type { ConversationService } from './service.ts'
import type { StartTasks } from './start.ts'
import { parseTrajectory } from './trajectory.ts'

interface Dependencies {
  tasks: StartTasks
  conversations: ConversationTable
  log: EventLog
  service: ConversationService
  sandboxes: SandboxService
  logger: Log
}

/**
 * Ends the starts that a dead process left behind. One whose conversation came to be has done its work, and only the first
 * message may be missing; of the others the sandbox is removed, since nobody will ever use it.
 *
 * @returns when the sandboxes are removed; never rejects
 */
export async function endInterruptedStarts(dependencies: Dependencies): Promise<void> {
  const { tasks, conversations, logger } = dependencies
  tasks.recover((task, conversationId) => {
    const conversation = conversations.get(conversationId)
    if (conversation) sayFirstMessage(conversation, task, dependencies)
    return conversation !== undefined
  })
  try {
    // Not only of these starts: another process may have died before it came to this.
    for (const id of tasks.abandonedSandboxes()) await removeUnused(id, dependencies)
  } catch (error) {
    logger.warn({ error: messageOf(error) }, 'An interrupted start left a sandbox behind')
  }
}

/** It waits in the log like the rest of a conversation whose service has died: nobody works until told to. */
function sayFirstMessage(
  conversation: Conversation,
  { request }: AppConversationStartTask,
  { log, service }: Dependencies,
): void {
  const message = conversation.replay === null ? request.initial_message : recorded(conversation.replay)
  if (message && log.lastSeq(conversation.id) < 0) service.send(conversation.id, { ...message, run: false })
}

function recorded(replay: string): SendMessageRequest {
  return { role: 'user', content: [{ type: 'text', text: parseTrajectory(replay).initialMessage }], run: false }
}

async function removeUnused(id: string, { conversations, sandboxes }: Dependencies): Promise<void> {
  const [present] = await sandboxes.batch([id])
  if (!present || conversations.count({ sandboxId: id, includeSubConversations: true }) > 0) return
  await sandboxes.delete(id)
}
