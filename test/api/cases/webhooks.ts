import type { CaseTable } from '../../parts/operation/case.ts'

const event = { kind: 'MessageEvent', id: 'm1', timestamp: '2026-01-01T10:00:00', source: 'user' }
const events = [{ ...event, llm_message: { role: 'user', content: [{ type: 'text', text: 'hello' }] } }]
const report = { body: { id: '$free', title: 'Elsewhere' }, reply: { success: true } }
const reportFailures = {
  unauthorized: { body: { id: '$stopped' } },
  invalid_id: { body: { id: 'no-uuid' } },
  conflict: { body: { id: '$conversation' } },
} as const
const record = { body: events, reply: { success: true } }
const recordFailures = (more: Record<string, string> = {}) => ({
  unauthorized: { params: { conversation_id: '$stopped', ...more } },
  invalid_id: { params: { conversation_id: 'no-uuid', ...more } },
  conflict: { params: { conversation_id: '$conversation', ...more } },
})

export const WEBHOOK_CASES: CaseTable = {
  reportConversation: { success: report, failures: reportFailures },
  reportConversationOfSandbox: {
    success: { params: { sandbox_id: '$sandbox' }, ...report },
    failures: reportFailures,
  },
  reportEvents: { success: { params: { conversation_id: '$free' }, ...record }, failures: recordFailures() },
  reportEventsOfSandbox: {
    success: { params: { sandbox_id: '$sandbox', conversation_id: '$free' }, ...record },
    failures: recordFailures({ sandbox_id: '$sandbox' }),
  },
  listSandboxSecrets: { success: { params: { sandbox_id: '$sandbox' } } },
  getSandboxSecret: {
    success: { params: { sandbox_id: '$sandbox', secret_name: '$secretOfConversation' }, reply: 'open-sesame-now' },
    failures: { secret_not_found: { params: { sandbox_id: '$sandbox', secret_name: '$takenSecret' } } },
  },
}
