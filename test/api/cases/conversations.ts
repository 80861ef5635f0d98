import type { CaseTable } from '../../parts/operation/case.ts'

const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
const of = (conversation_id: string, more: Record<string, string> = {}) => ({ params: { conversation_id, ...more } })
const recorded = { kind: 'MessageEvent', source: 'user', llm_message: said('Hello') }
const UNKNOWN = 'f'.repeat(32)

const startFailures = {
  bad_request: [{ body: { selected_repository: 'not a repository' } }, { body: { attempts: { models: [null] } } }],
  invalid_id: { body: { conversation_id: 'no-uuid' } },
  conversation_exists: { body: { conversation_id: '$conversation' } },
  conversation_not_found: { body: { parent_conversation_id: UNKNOWN } },
  not_found: { body: { profile: 'no such model' } },
  conflict: {
    body: { initial_message: said('Read it'), attachments: [{ id: '$startingAttachment', name: 'a.csv' }] },
  },
  model_not_set: { service: 'new', body: { initial_message: said('Hello') } },
} as const

export const CONVERSATION_CASES: CaseTable = {
  inspectFolder: {
    success: { body: { path: '$folder' }, reply: { git: { branch: 'main', uncommitted_files: 1 }, files: 2 } },
    failures: {
      bad_request: { body: { path: 'no/absolute/path' } },
      file_not_found: { body: { path: '/nowhere/at/all' } },
    },
  },
  lookForDevContainers: {
    success: { body: { source: { kind: 'folder', path: '$folder' } }, reply: { items: [] } },
    failures: {
      bad_request: { body: { selected_repository: 'git@git.example:team/tool' } },
      file_not_found: { body: { source: { kind: 'folder', path: '/nowhere/at/all' } } },
      clone_failed: { body: { selected_repository: 'http://localhost:1/team/tool.git' } },
    },
  },
  previewFolderApply: {
    success: { ...of('$copied'), reply: { files: [{ path: 'a.txt', status: 'UPDATED', state: 'fits' }] } },
    failures: { bad_request: of('$conversation'), file_not_found: of('$folderless') },
  },
  applyToFolder: {
    success: { ...of('$appliable'), body: { choices: [] }, reply: { written: ['a.txt'] } },
    failures: { bad_request: of('$conversation'), file_not_found: of('$folderless'), conflict: of('$conflicting') },
  },
  undoFolderApply: {
    success: { ...of('$applied'), reply: { restored: ['a.txt'] } },
    failures: { bad_request: of('$conversation'), file_not_found: of('$folderless'), conflict: of('$changedSince') },
  },
  createFolderBranch: {
    success: { ...of('$branchable'), body: { name: 'topic' }, reply: { branch: 'topic', files: ['a.txt'] } },
    failures: {
      bad_request: of('$conversation'),
      file_not_found: of('$folderless'),
      conflict: { ...of('$branchable'), body: { name: 'main' } },
    },
  },
  undoFolderBranch: {
    success: { ...of('$branched'), body: { branch: 'made' }, reply: { branch: 'made' } },
    failures: {
      bad_request: { ...of('$conversation'), body: { branch: 'made' } },
      file_not_found: { ...of('$folderless'), body: { branch: 'made' } },
      conflict: { ...of('$checkedOut'), body: { branch: 'made' } },
    },
  },
  createAppConversation: {
    success: {
      body: {
        sandbox_id: '$sandbox',
        title: 'A start',
        initial_message: said('Finish'),
        attempts: { models: [null, 'openai/gpt-5'], check: 'npm test' },
      },
      reply: { status: 'WORKING', sandbox_id: null, request: { attempts: { models: [null, 'openai/gpt-5'] } } },
    },
    failures: startFailures,
  },
  uploadAttachment: {
    success: { files: { 'a.csv': 'a,b' }, reply: { size_bytes: 3 } },
    failures: { bad_request: { files: {} } },
  },
  deleteAttachment: {
    success: { params: { attachment_id: '$attachment' }, reply: { success: true } },
    failures: {
      not_found: { params: { attachment_id: 'no-such-file' } },
      conflict: { params: { attachment_id: '$startingAttachment' } },
    },
  },
  streamStart: {
    success: { body: { sandbox_id: '$sandbox' }, reply: [{ status: 'WORKING' }] },
    failures: startFailures,
  },
  listAppConversations: {
    success: { query: { ids: ['$conversation'] }, reply: [{ sandbox_id: '$sandbox' }] },
    failures: { invalid_id: { query: { ids: ['no-uuid'] } } },
  },
  searchAppConversations: { success: { query: { limit: 1 }, reply: { items: [{}] } } },
  countAppConversations: { success: {} },
  updateAppConversation: {
    success: { ...of('$conversation'), body: { max_iterations: 77 }, reply: { max_iterations: 77 } },
  },
  deleteAppConversation: {
    success: { ...of('$new'), reply: { success: true } },
  },
  sendMessage: {
    success: { ...of('$new'), body: { ...said('Hello'), run: false }, reply: { success: true } },
    failures: { bad_request: { body: said(' ') } },
  },
  runConversation: { success: of('$conversation'), failures: { conversation_running: of('$running') } },
  pauseConversation: { success: of('$running') },
  interruptConversation: { success: of('$running') },
  startDemonstration: {
    success: { reply: { status: 'WORKING' } },
    failures: { unavailable: { service: 'new' } },
  },
  startReplay: {
    success: { body: { events: [recorded] }, reply: { status: 'WORKING' } },
    failures: {
      bad_request: { body: { events: [recorded], selected_repository: 'not a repository' } },
      trajectory_invalid: [{ body: { events: [] } }, { body: { events: [{ kind: 'MessageEvent', source: 'user' }] } }],
    },
  },
  readSavedLog: {
    success: { files: { 'log.json': JSON.stringify([recorded]) }, reply: { first_message: 'Hello', agent_steps: 0 } },
    failures: {
      bad_request: { raw: '--x', type: 'multipart/form-data; boundary=x' },
      trajectory_invalid: { files: { 'log.json': '7' } },
    },
  },
  batchGetStartTasks: {
    success: { query: { ids: ['$endedTask'] }, reply: [{ status: 'READY' }] },
    failures: { invalid_id: { query: { ids: ['no-uuid'] } } },
  },
  searchStartTasks: { success: { query: { conversation_id__eq: '$conversation' }, reply: { items: [{}] } } },
  countStartTasks: { success: { query: { conversation_id__eq: '$conversation' }, reply: 1 } },
  cancelStartTask: {
    success: { params: { task_id: '$starting' }, reply: { success: true } },
    failures: { not_found: { params: { task_id: UNKNOWN } }, conflict: { params: { task_id: '$endedTask' } } },
  },
  respondToConfirmation: {
    success: { ...of('$waiting'), body: { accept: false } },
    failures: { not_waiting: of('$conversation') },
  },
  forkConversation: {
    success: { ...of('$conversation'), body: { from_event_id: '$event' }, reply: { sandbox_id: '$sandbox' } },
    failures: {
      conversation_exists: { body: { conversation_id: '$conversation' } },
      not_found: { body: { from_event_id: UNKNOWN } },
    },
  },
  navigateConversation: {
    success: { ...of('$conversation'), body: { event_id: '$event' }, reply: { execution_status: 'idle' } },
    failures: { conversation_running: of('$running'), not_found: { body: { event_id: UNKNOWN } } },
  },
  condenseConversation: { success: of('$new') },
  retryModel: { success: of('$retrying'), failures: { not_waiting: of('$conversation') } },
  askAgent: {
    success: { ...of('$conversation'), body: { question: 'Why?' }, reply: { response: 'An answer.' } },
  },
  getFinalResponse: { success: { ...of('$conversation'), reply: { response: 'Done.' } } },
  getConversationFile: {
    success: { ...of('$conversation'), query: { file_path: 'text.txt' }, reply: 'two\n' },
    failures: {
      bad_request: { query: { file_path: 'folder' } },
      file_not_found: { query: { file_path: 'nowhere.txt' } },
      file_too_large: { query: { file_path: 'large.txt' } },
      file_not_text: { query: { file_path: 'binary.bin' } },
    },
  },
  getConversationChanges: {
    success: { ...of('$conversation'), reply: [{ path: 'binary.bin' }, { path: 'large.txt' }] },
    failures: { file_not_found: { query: { path: '/nowhere' } } },
  },
  getConversationDiff: {
    success: { ...of('$conversation'), query: { path: 'text.txt' }, reply: { original: '', modified: 'two\n' } },
    failures: {
      bad_request: { query: { path: 'folder' } },
      file_too_large: { query: { path: 'large.txt' } },
      not_a_repository: of('$bare'),
    },
  },
  downloadConversation: { success: of('$conversation') },
  queuePendingMessage: {
    success: { ...of('$conversation'), body: said('Finish'), reply: { queued: false } },
    failures: { bad_request: { body: said('') }, too_many_requests: of('$crowded') },
  },
  getConversationBrowser: { success: of('$conversation') },
  listPendingMessages: { success: { ...of('$conversation'), reply: [] } },
  changePendingMessage: {
    success: {
      params: { conversation_id: '$holding', message_id: '$waitingMessage' },
      body: { content: said('Finish').content, position: 2 },
      reply: [{ content: [{ text: 'Hello' }] }, { content: [{ text: 'Finish' }], waits_for: 'agent' }],
    },
    failures: {
      bad_request: {
        params: { conversation_id: '$holding', message_id: '$waitingMessage' },
        body: { content: said('').content },
      },
      not_found: { params: { conversation_id: '$holding', message_id: 'gone' }, body: { position: 1 } },
    },
  },
  withdrawPendingMessage: {
    success: { params: { conversation_id: '$holding', message_id: '$withdrawnMessage' }, reply: { success: true } },
    failures: { not_found: { params: { conversation_id: '$holding', message_id: 'gone' } } },
  },
  getConversationSkills: { success: { ...of('$conversation'), reply: { problems: [] } } },
  getConversationHooks: { success: { ...of('$conversation'), reply: { problems: [] } } },
}
