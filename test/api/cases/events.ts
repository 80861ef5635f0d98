import type { CaseTable } from '../../parts/operation/case.ts'

const inConversation = { params: { conversation_id: '$conversation' } }
const byQuery = { query: { conversation_id__eq: '$conversation' } }
const byId = { query: { id: ['$event', 'unknown'] }, reply: [{ kind: 'MessageEvent' }, null] }

export const EVENT_CASES: CaseTable = {
  searchEvents: { success: { ...byQuery, reply: { items: [{}] } } },
  countEvents: { success: byQuery },
  batchGetEvents: { success: byId },
  batchGetConversationEvents: { success: { ...inConversation, ...byId } },
  searchConversationEvents: { success: { ...inConversation, reply: { items: [{}] } } },
  countConversationEvents: { success: inConversation },
}
