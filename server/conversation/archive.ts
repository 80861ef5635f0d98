import { type ConversationId, parseConversationId } from '../domain/ids.ts'
import type { ConversationTable } from '../store/conversation/conversations.ts'

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
  const all = new Set([id])
  for (const each of all) for (const child of conversations.childrenOf([each])) all.add(parseConversationId(child.id))
  for (const each of all) conversations.update(each, patch)
}
