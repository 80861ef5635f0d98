import type { ConversationId } from '../domain/ids.ts'
import type { Conversation, ConversationTable } from '../store/conversation/conversations.ts'

interface ActiveConversation {
  id: string
  title: string | null
  /** Whether its agent was sent by that of another conversation. */
  isSubAgent: boolean
}

/** Whose agents work now, and whose wait for a person to approve what they are about to do. */
export interface Activity {
  working: ActiveConversation[]
  waiting: ActiveConversation[]
  /** How many tasks are about to begin: their sandboxes are being made ready. */
  starting: number
}

export const NO_ACTIVITY: Activity = { working: [], waiting: [], starting: 0 }

export function activityIn(conversations: ConversationTable): Omit<Activity, 'starting'> {
  const toActive = ({ id, title, parent_conversation_id }: Conversation): ActiveConversation => {
    const parent =
      parent_conversation_id === null ? undefined : conversations.get(parent_conversation_id as ConversationId)
    // What carries out a plan goes on from it, and works for the person.
    return { id, title, isSubAgent: parent !== undefined && parent.agent_type !== 'plan' }
  }
  return {
    working: conversations.withStatus('running').map(toActive),
    waiting: conversations.withStatus('waiting_for_confirmation').map(toActive),
  }
}
