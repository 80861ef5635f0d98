import type { CaseTable } from '../../parts/operation/case.ts'

const of = (conversation_id: string, more: Record<string, string> = {}) => ({ params: { conversation_id, ...more } })
const words = (text: string) => ({ content: [{ type: 'text', text }] })
const HERE = of('$conversation')
const UNKNOWN = 'f'.repeat(32)
const missing = { bad_request: of(UNKNOWN) }
const OK = { success: true }
const agent = { kind: 'Agent', llm: { model: 'openai/scripted' } }
const workspace = { working_dir: '/workspace/other' }
const start = { agent, workspace, secrets: { DEPLOY: 'open-sesame' } }

export const GATEWAY_CONVERSATION_CASES: CaseTable = {
  searchGatewayConversations: { success: { query: { limit: 1 }, reply: { items: [{}] } } },
  countGatewayConversations: { success: {} },
  batchGetGatewayConversations: { success: { query: { ids: ['$conversation', UNKNOWN] }, reply: [{}, null] } },
  getGatewayConversation: { success: { ...HERE, reply: { forked_from_event_id: null } } },
  updateGatewayConversation: { success: { ...HERE, body: { title: 'Named' }, reply: OK } },
  deleteGatewayConversation: { success: { ...of('$new'), reply: OK }, failures: missing },
  runGatewayConversation: {
    success: { ...HERE, reply: OK },
    failures: { conversation_running: of('$running') },
  },
  pauseGatewayConversation: { success: { ...of('$running'), reply: OK }, failures: missing },
  interruptGatewayConversation: { success: { ...of('$running'), reply: OK }, failures: missing },
  setConfirmationPolicy: {
    success: { ...HERE, body: { policy: { kind: 'NeverConfirm' } }, reply: OK },
    failures: { bad_request: { body: { policy: { kind: 'SometimesConfirm' } } } },
  },
  setSecurityAnalyzer: {
    success: { ...HERE, body: { security_analyzer: null }, reply: OK },
    failures: { not_supported: { body: { security_analyzer: { kind: 'GraySwanAnalyzer' } } } },
  },
  setGatewaySecrets: {
    success: { ...HERE, body: { secrets: { DEPLOY: 'open-sesame' } }, reply: OK },
    failures: { bad_request: { body: { secrets: { PATH: 'open-sesame' } } } },
  },
  switchLlm: {
    success: { ...of('$new'), body: { llm: { model: 'openai/other' } }, reply: OK },
    failures: {
      bad_request: { body: { llm: {} } },
      llm_unknown_model: { body: { llm: { model: 'nobody-knows' } }, settings: { llm_base_url: null } },
      llm_bad_request: { body: { llm: { model: 'openai/other', base_url: 'ftp://there' } } },
    },
  },
  getAgentFinalResponse: { success: { ...HERE, reply: {} } },
  generateTitle: {
    success: { ...HERE, body: {}, reply: { title: 'Finish' } },
    failures: { bad_request: of('$new') },
  },
  startGatewayConversation: {
    success: { body: start, reply: { workspace } },
    failures: {
      bad_request: [
        { body: { agent, workspace: { working_dir: 'relative' } } },
        { body: { ...start, confirmation_policy: { kind: 'SometimesConfirm' } } },
        { body: { ...start, agent_definitions: [{ name: 'not a name' }] } },
        { body: { ...start, agent_definitions: [{ name: 'reviewer', model: 'some-profile' }] } },
      ],
      not_found: { body: { workspace, agent_profile_id: 'mine' } },
      conversation_exists: { body: { ...start, conversation_id: '$stopped' } },
      not_supported: [
        { body: { ...start, agent: { kind: 'ACPAgent' } } },
        { body: { ...start, plugins: [{}] } },
        { body: { ...start, worktree: true } },
        { body: { ...start, agent_definitions: [{ name: 'reviewer', mcp_config: { other: {} } }] } },
      ],
      llm_unknown_model: {
        body: { workspace, agent: { llm: { model: 'nobody-knows' } } },
        settings: { llm_base_url: null },
      },
      llm_bad_request: { body: { workspace, agent: { llm: { model: 'openai/other', base_url: 'ftp://there' } } } },
      model_not_set: {
        service: 'new',
        body: { workspace, agent: {}, initial_message: words('Hello') },
      },
    },
  },
  askGatewayAgent: {
    success: { ...HERE, body: { question: 'Why?' }, reply: { response: 'An answer.' } },
  },
  condenseGatewayConversation: { success: { ...of('$new'), reply: OK } },
  forkGatewayConversation: {
    success: { ...HERE, body: { from_event_id: '$event' } },
    failures: {
      conversation_exists: { body: { id: '$conversation' } },
      not_found: { body: { from_event_id: UNKNOWN } },
    },
  },
  navigateGatewayConversation: {
    success: { ...HERE, body: { event_id: '$event' } },
    failures: { conversation_running: of('$running'), not_found: { body: { event_id: UNKNOWN } } },
  },
  searchGatewayEvents: { success: { ...HERE, query: { limit: 1 }, reply: { items: [{}] } } },
  countGatewayEvents: { success: HERE },
  getGatewayEvent: {
    success: { ...of('$conversation', { event_id: '$event' }), reply: { kind: 'MessageEvent' } },
    failures: { event_not_found: of('$conversation', { event_id: 'unknown' }) },
  },
  batchGetGatewayEvents: { success: { ...HERE, raw: '["unknown"]', reply: [null] } },
  sendGatewayMessage: {
    success: { ...HERE, body: words('Finish'), reply: OK },
    failures: { bad_request: { body: { content: [] } } },
  },
  answerClientTool: {
    success: { ...of('$clientCall'), body: { action_id: '$clientAction', content: 'Done' }, reply: OK },
    failures: {
      not_found: { ...HERE, body: { action_id: 'unknown', content: 'Done' } },
      conflict: of('$unacceptedClientCall'),
    },
  },
  respondToConfirmation: {
    success: { ...of('$waiting'), body: { accept: false }, reply: OK },
    failures: { not_waiting: HERE },
  },
}
