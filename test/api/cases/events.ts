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
  searchEverything: {
    success: {
      query: { query: 'finish', kind: ['message'], conversation_id: '$conversation' },
      reply: { next_page_id: null },
    },
    failures: {
      conversation_not_found: { query: { query: 'hello', conversation_id: 'f'.repeat(32) } },
      invalid_id: { query: { query: 'hello', conversation_id: 'x'.repeat(101) } },
    },
  },
}
