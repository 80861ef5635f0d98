import { addUsage } from '../../agent/limits.ts'
import type { NewEvent } from '../../api/event/events.ts'
import type { ConversationStats } from '../../api/event/metrics.ts'
import type { Bus } from '../../bus.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { EventLog } from '../../event/log.ts'
import type { Completion } from '../../llm/completion.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { AgentParts } from './agent-parts.ts'

interface Dependencies {
  eventLog: EventLog
  conversations: ConversationTable
  parts: Pick<AgentParts, 'countUsage'>
  bus: Bus
}

/** A model's answer that was no step of the agent, and what is stored with it. */
interface SideCall {
  usageId: string
  completion: Completion
  events?: (stats: ConversationStats) => NewEvent[]
  fields?: Partial<Conversation>
}

/** The conversation pays for it: its statistics, the usage of the day and what comes with them are stored together or not at all. */
export function chargeSideCall(
  { eventLog, conversations, parts, bus }: Dependencies,
  id: ConversationId,
  { usageId, completion, events = () => [], fields }: SideCall,
): void {
  const conversation = conversations.get(id)
  if (!conversation) return
  const stats = addUsage(conversation.stats, usageId, completion, conversation)
  eventLog.appendAll(id, events(stats), () => {
    parts.countUsage(conversation.stats, stats)
    conversations.update(id, { ...fields, stats })
  })
  bus.publish({ resource: 'conversation', id })
}
