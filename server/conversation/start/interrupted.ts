import { initialMessageOf } from '../../agent/trajectory.ts'
import type { SendMessageRequest } from '../../api/event/events.ts'
import type { EventLog } from '../../event/log.ts'
import type { FolderMounts } from '../../folder/mount/mounts.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { ConversationDeletions } from '../../store/conversation/deletions.ts'
import type { UnfinishedStart } from '../../store/conversation/start-tasks.ts'
import type { ConversationService } from '../service.ts'
import type { FirstAttempts } from './dependencies.ts'
import type { StartTasks } from './tasks.ts'

interface Dependencies {
  tasks: StartTasks
  conversations: ConversationTable
  deletions: Pick<ConversationDeletions, 'has'>
  eventLog: EventLog
  service: ConversationService
  mounts: Pick<FolderMounts, 'settle'>
  attempts: Pick<FirstAttempts, 'begunAtStart'>
}

/**
 * Ends the starts that a dead process left behind. One whose conversation came to be has done its work, and only the first
 * message may be missing; the sandboxes of the others are recorded as abandoned since they were begun, and their worktrees are
 * removed.
 */
export function endInterruptedStarts(dependencies: Dependencies, why = CLOSED): void {
  const { tasks, conversations, deletions, mounts } = dependencies
  tasks.recover(start => {
    const { conversationId } = start
    const stored = conversations.get(conversationId)
    // A fork whose log is not whole is removed instead.
    const conversation = stored && !deletions.has(conversationId) ? stored : undefined
    void mounts.settle(conversationId, conversation !== undefined)
    if (conversation) storeFirstMessage(conversation, start, dependencies)
    return conversation !== undefined
  }, why)
}

const CLOSED = 'Atelier was closed during the start. Start it again.'
export const UNSTORED = 'The disk was full, so the end of the start could not be stored. Start it again.'

/**
 * It waits in the log like the rest of a conversation whose service has died: the agent works when it is started again. So
 * does a message of which several attempts were to be made, unless they have begun.
 */
function storeFirstMessage(
  conversation: Conversation,
  { task: { request }, firstMessage }: UnfinishedStart,
  { eventLog, service, attempts }: Dependencies,
): void {
  if (request.attempts && attempts.begunAtStart(conversation.id)) return
  const asked = conversation.replay === null ? request.initial_message : recorded(conversation.replay)
  const message = firstMessage ?? asked
  const isFork = conversation.forked_from_conversation_id !== null
  const isUntouched = isFork
    ? conversation.updated_at === conversation.created_at
    : eventLog.lastSeq(conversation.id) < 0
  if (message && isUntouched) service.send(conversation.id, { ...message, run: false })
}

function recorded(replay: string): SendMessageRequest {
  return { role: 'user', content: [{ type: 'text', text: initialMessageOf(replay) }], run: false }
}
