import { z } from 'zod'
import { type ConversationId, parseConversationId } from '../../domain/ids.ts'
import type { Database } from '../database/database.ts'

const topRow = z.object({ top: z.string(), is_archived: z.number() })

/**
 * With what works for each: one counts as used, at work and pinned as long as any of those is. One whose parent is not here
 * is nobody's helper. Only what has a parent is found under it, so no circle is.
 */
const unused = (only: string): string => `
  WITH RECURSIVE tree (top, id, used_at, at_work, pinned) AS (
    SELECT id, id, max(updated_at, coalesce(listed_at, '')), execution_status IN ('running', 'waiting_for_confirmation'),
      pinned_at IS NOT NULL
    FROM conversation WHERE ${only} (parent_conversation_id IS NULL
      OR NOT EXISTS (SELECT 1 FROM conversation AS parent WHERE parent.id = conversation.parent_conversation_id))
    UNION ALL
    SELECT tree.top, child.id, child.updated_at, child.execution_status IN ('running', 'waiting_for_confirmation'),
      child.pinned_at IS NOT NULL
    FROM conversation AS child JOIN tree ON child.parent_conversation_id = tree.id
  )
  SELECT tree.top AS top, one.archived_at IS NOT NULL AS is_archived FROM tree JOIN conversation AS one ON one.id = tree.top
  WHERE one.id NOT IN (SELECT conversation_id FROM conversation_deletion)
  GROUP BY tree.top HAVING max(tree.used_at) < ? AND max(tree.at_work) = 0 AND max(tree.pinned) = 0 ORDER BY max(tree.used_at)`

const UNUSED = unused('')
const UNUSED_ONE = unused('id = ? AND')

export interface UnusedConversation {
  id: ConversationId
  isArchived: boolean
}

/** Conversations that are not used any more: none that is pinned, at work, waits for an answer or works for another. */
export class OldConversations {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** @param before an ISO time; the one that was used longest ago comes first */
  unusedSince(before: string): UnusedConversation[] {
    return this.#database.all(UNUSED, [before]).map(found => {
      const { top, is_archived } = topRow.parse(found)
      return { id: parseConversationId(top), isArchived: is_archived === 1 }
    })
  }

  /** @param before an ISO time */
  isUnusedSince(before: string, id: ConversationId): boolean {
    return this.#database.get(UNUSED_ONE, [id, before]) !== undefined
  }
}
