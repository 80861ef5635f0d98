import type { CaseTable } from '../../parts/operation/case.ts'

const FOLDER = '/workspace/project'
const query = (path: string, more: object = {}) => ({ query: { path, ...more } })
const params = (path: string, more: object = {}) => ({ params: { path, ...more } })
const files = { files: { name: 'content\n' } }
const OK = { success: true }
const command = { command: 'echo out', timeout: 20 }
const DIFF = { original: '', modified: 'two\n' }

export const GATEWAY_WORKSPACE_CASES: CaseTable = {
  searchBashEvents: { success: { query: { limit: 1 } } },
  batchGetBashEvents: { success: { raw: '["unknown"]', reply: [null] } },
  getBashEvent: {
    success: { params: { event_id: '$command' }, reply: { kind: 'BashCommand' } },
    failures: { event_not_found: { params: { event_id: 'unknown' } } },
  },
  startBashCommand: { success: { body: command, reply: { kind: 'BashCommand' } } },
  executeBashCommand: { success: { body: command, reply: { stdout: 'out\n', exit_code: 0 } } },
  clearBashEvents: { success: {} },
  uploadFile: {
    success: { ...query('/tmp/uploaded'), ...files, reply: OK },
    failures: { bad_request: [query('relative'), query('/tmp')] },
  },
  uploadFileByPath: {
    success: { ...params('/tmp/uploaded'), ...files, reply: OK },
    failures: { bad_request: [params('relative'), params('/tmp')] },
  },
  downloadFile: {
    success: { ...query('/etc/hostname') },
    failures: { bad_request: [query('relative'), query('/etc')], file_not_found: query('/nowhere') },
  },
  downloadFileByPath: {
    success: { ...params('/etc/hostname') },
    failures: { bad_request: [params('relative'), params('/etc')], file_not_found: params('/nowhere') },
  },
  createDirectory: {
    success: { ...query('/tmp/made/deep'), reply: OK },
    failures: { bad_request: [query('relative'), query('/etc/hostname/x')] },
  },
  downloadTrajectory: { success: { params: { conversation_id: '$conversation' } } },
  archiveDirectory: {
    success: { ...query(FOLDER) },
    failures: {
      bad_request: [query('relative'), query('/etc/hostname')],
      file_not_found: query('/nowhere'),
      not_a_repository: query('/etc'),
    },
  },
  getHome: { success: { reply: { home: '/root' } } },
  searchSubdirectories: {
    success: { ...query('/workspace'), reply: { items: [{}] } },
    failures: { bad_request: [query('relative'), query('/etc/hostname')], file_not_found: query('/nowhere') },
  },
  gatewayGitChanges: {
    success: { ...query(FOLDER) },
    failures: {
      bad_request: [query('relative'), query(FOLDER, { ref: 'no-such-branch' }), query(FOLDER, { ref: '--help' })],
      file_not_found: query('/nowhere'),
    },
  },
  gatewayGitChangesByPath: {
    success: { ...params(FOLDER) },
    failures: { bad_request: params('relative'), file_not_found: params('/nowhere') },
  },
  gatewayGitCommits: {
    success: { ...query(FOLDER), reply: { commits: [{ subject: 'One' }] } },
    failures: { bad_request: query('relative'), file_not_found: query('/nowhere') },
  },
  gatewayGitCommitChanges: {
    success: { params: { sha: '$commit' }, ...query(FOLDER), reply: [{ path: 'text.txt' }] },
    failures: {
      bad_request: query('relative'),
      file_not_found: query('/nowhere'),
      not_found: { params: { sha: 'abcdef0123' } },
    },
  },
  gatewayGitDiff: {
    success: { ...query(`${FOLDER}/text.txt`), reply: DIFF },
    failures: {
      bad_request: [
        query('relative'),
        query(`${FOLDER}/folder`),
        query(`${FOLDER}/text.txt`, { ref: 'main', commit: 'abc' }),
        query(`${FOLDER}/text.txt`, { ref: 'no-such-branch' }),
        query(`${FOLDER}/text.txt`, { commit: 'abcdef0123' }),
      ],
      file_not_found: query('/nowhere/text.txt'),
      file_too_large: query(`${FOLDER}/large.txt`),
    },
  },
  gatewayGitDiffByPath: {
    success: { ...params(`${FOLDER}/text.txt`), reply: DIFF },
    failures: {
      bad_request: [params('relative'), params(`${FOLDER}/folder`)],
      file_not_found: params('/nowhere/text.txt'),
      file_too_large: params(`${FOLDER}/large.txt`),
    },
  },
  listGatewaySkills: {
    success: { body: {}, reply: { sources: { public: 0 } } },
    failures: {
      bad_request: { body: { project_dir: 'relative' } },
      file_not_found: { body: { project_dir: '/nowhere' } },
    },
  },
  listGatewaySubAgents: {
    success: { body: {}, reply: { agents: [{ name: 'general-purpose', level: 'builtin' }] } },
    failures: { bad_request: { body: { project_dir: 'relative' } } },
  },
  getGatewayHooks: {
    success: { body: {}, reply: { hook_config: null } },
    failures: { bad_request: { body: { project_dir: 'relative' } } },
  },
}
