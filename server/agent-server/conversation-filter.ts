import type { ConversationSortOrder } from '../api/agent-server/conversations.ts'
import type { ConversationOrder } from '../store/conversation/conversations.ts'
import type { Access } from './access.ts'

export function orderOf(order: ConversationSortOrder): ConversationOrder {
  return ORDER[order]
}

const ORDER: Record<ConversationSortOrder, ConversationOrder> = {
  CREATED_AT: 'created_at_ascending',
  CREATED_AT_DESC: 'created_at',
  UPDATED_AT: 'updated_at_ascending',
  UPDATED_AT_DESC: 'updated_at',
}

/** Those that the key opens, in this state if one is named. */
export function filterOf(access: Access, status: string | null | undefined) {
  return {
    ...(access.kind === 'sandbox' && { sandboxId: access.sandboxId }),
    ...(status && { status }),
    includeSubConversations: true,
  }
}
