import type { CaseTable } from '../../parts/operation/case.ts'

const of = (conversation_id: string) => ({ params: { conversation_id } })
const HERE = of('$conversation')
const file = (file: string) => ({ query: { file } })

export const LEGACY_CASES: CaseTable = {
  newConversation: {
    success: { body: { initial_user_msg: 'Finish' }, reply: { status: 'ok', conversation_status: 'STARTING' } },
    failures: {
      invalid_id: { body: { conversation_id: 'x'.repeat(101) }, reply: { msg_id: 'CONVERSATION$INVALID_ID' } },
      conversation_exists: {
        body: { conversation_id: '$conversation' },
        reply: { msg_id: 'CONVERSATION$CONVERSATION_EXISTS' },
      },
      trajectory_invalid: { body: { replay_json: '{' }, reply: { msg_id: 'CONVERSATION$TRAJECTORY_INVALID' } },
      bad_request: [
        { body: { repository: 'not a repository' }, reply: { msg_id: 'CONVERSATION$BAD_REQUEST' } },
        { body: { replay_json: '[]', initial_user_msg: 'Also' } },
      ],
      settings_not_found: { service: 'new', reply: { msg_id: 'CONFIGURATION$SETTINGS_NOT_FOUND' } },
      unauthorized: { body: { repository: '$locked' } },
      model_not_set: { settings: { llm_model: null }, reply: { msg_id: 'CONVERSATION$MODEL_NOT_SET' } },
      llm_unknown_model: { settings: { llm_model: 'nobody-knows', llm_base_url: null, llm_api_key: '' } },
      llm_authentication: {
        settings: { llm_model: 'anthropic/claude-sonnet-4', llm_base_url: null, llm_api_key: '' },
        reply: { msg_id: 'STATUS$ERROR_LLM_AUTHENTICATION' },
      },
    },
  },
  listConversations: {
    success: { query: { limit: 1 }, reply: { results: [{}] } },
    failures: { bad_request: { query: { page_id: 'x' } } },
  },
  listMicroagentConversations: {
    success: { query: { selected_repository: 'a/b' }, reply: { results: [] } },
    failures: { bad_request: { query: { selected_repository: 'a/b', page_id: 'x' } } },
  },
  getConversation: { success: { ...HERE, reply: { conversation_id: '$conversation' } } },
  updateConversation: { success: { ...HERE, body: { title: 'Another' }, reply: true } },
  deleteConversation: {
    success: { ...of('$new'), reply: true },
  },
  startConversation: { success: { ...HERE, body: {}, reply: { conversation_status: 'RUNNING' } } },
  stopConversation: { success: { ...of('$spareConversation'), reply: { conversation_status: 'STOPPED' } } },
  getConversationConfig: { success: { ...HERE, reply: { session_id: '$conversation', runtime_id: '$sandbox' } } },
  getLegacyEvents: {
    success: { ...HERE, query: { limit: 1 }, reply: { events: [{}], has_more: true } },
    failures: { bad_request: { query: { limit: 101 } } },
  },
  postLegacyEvent: {
    success: { ...HERE, body: { action: 'message', args: { content: 'Finish' } }, reply: { success: true } },
    failures: {
      bad_request: [
        { body: { action: 'run', args: { command: 'ls' } } },
        { body: { action: 'change_agent_state', args: { agent_state: 'loading' } } },
      ],
      not_waiting: { body: { action: 'change_agent_state', args: { agent_state: 'user_confirmed' } } },
      conversation_running: {
        ...of('$running'),
        body: { action: 'change_agent_state', args: { agent_state: 'running' } },
      },
    },
  },
  postLegacyMessage: {
    success: { ...HERE, body: { message: 'Finish' }, reply: { success: true } },
    failures: { bad_request: { body: { message: '' }, reply: { success: false } } },
  },
  getTrajectory: { success: { ...HERE, reply: { trajectory: [{}] } } },
  storeExperimentConfig: { success: { ...HERE, body: { config: { a: 'b' } }, reply: false } },
  rememberPrompt: {
    success: {
      ...HERE,
      query: { event_id: 0 },
      model: 'answers in the form asked for',
      reply: { prompt: 'Run the tests with make.' },
    },
    failures: {
      event_not_found: { query: { event_id: 999_999 } },
      llm_failed: [{ model: 'is broken' }, { model: 'answers in another form' }],
    },
  },
  submitFeedback: { success: { ...HERE, body: { polarity: 'positive' } } },
  listFiles: { success: { ...HERE, reply: ['folder/', 'binary.bin', 'large.txt', 'text.txt'] } },
  selectFile: {
    success: { ...HERE, ...file('text.txt'), reply: { code: 'two\n' } },
    failures: {
      bad_request: file('folder'),
      file_not_found: file('nowhere.txt'),
      file_too_large: file('large.txt'),
      file_not_text: { ...file('binary.bin'), reply: { error: 'Unable to open binary file: binary.bin' } },
    },
  },
  zipDirectory: { success: HERE },
  uploadFiles: {
    success: { ...HERE, files: { 'up.txt': 'up\n' }, reply: { uploaded_files: ['/workspace/project/up.txt'] } },
    failures: { bad_request: { raw: '--x', type: 'multipart/form-data; boundary=x' } },
  },
  getGitChanges: { success: HERE, failures: { not_a_repository: of('$bare') } },
  getGitDiff: {
    success: { ...HERE, query: { path: 'text.txt' }, reply: { original: '', modified: 'two\n' } },
    failures: {
      bad_request: { query: { path: 'folder' } },
      file_too_large: { query: { path: 'large.txt' } },
      not_a_repository: of('$bare'),
    },
  },
  getMicroagents: { success: { ...HERE, reply: { microagents: [] } } },
  getWebHosts: { success: { ...HERE, reply: {} } },
  getVscodeUrl: { success: { ...HERE, reply: { vscode_url: null } } },
}
