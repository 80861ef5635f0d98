import { type ConversationId, parseConversationId } from '../domain/ids.ts'
import type { Conversation, ConversationTable } from '../store/conversation/conversations.ts'

/**
 * Puts a conversation into the archive, or takes it out, with all that work for it: none of them stands in a list without the
 * one that it works for.
 */
export function setArchived(
  conversations: Pick<ConversationTable, 'get' | 'update' | 'childrenOf'>,
  id: ConversationId,
  isArchived: boolean,
): void {
  const conversation = conversations.get(id)
  if (!conversation || (conversation.archived_at !== null) === isArchived) return
  const now = new Date().toISOString()
  const patch = isArchived ? { archived_at: now } : { archived_at: null, listed_at: now }
  const all = new Set([isArchived ? id : uppermostArchived(conversations, conversation)])
  for (const each of all) for (const child of conversations.childrenOf([each])) all.add(parseConversationId(child.id))
  for (const each of all) conversations.update(each, patch)
}

/** What works for an archived one comes back with that. */
function uppermostArchived(conversations: Pick<ConversationTable, 'get'>, conversation: Conversation): ConversationId {
  let top = conversation
  for (const seen = new Set<string>(); !seen.has(top.id); ) {
    seen.add(top.id)
    const parent = top.parent_conversation_id
      ? conversations.get(top.parent_conversation_id as ConversationId)
      : undefined
    if (parent?.archived_at) top = parent
  }
  return top.id
}
