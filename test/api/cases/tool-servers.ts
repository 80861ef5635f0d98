import type { CaseTable } from '../../parts/operation/case.ts'

const remote = { transport: 'http', url: 'http://127.0.0.1:1/mcp' }
const local = { transport: 'stdio', command: 'true' }
const named = (conversation_id: string, name: string) => ({ params: { conversation_id, name } })
const submitted = { params: { job_id: '$signIn' }, body: { callback_url: '$answer' }, reply: { status: 'succeeded' } }
const job = { params: { job_id: '$signIn' }, reply: { status: 'authorizing' } }
const noJob = { params: { job_id: 'nobody' } }

export const TOOL_SERVER_CASES: CaseTable = {
  listMcpServers: {
    success: { params: { conversation_id: '$withServer' }, reply: { items: [{}] } },
  },
  addMcpServer: {
    success: { params: { conversation_id: '$new' }, body: { name: 'more', server: remote }, reply: { name: 'more' } },
    failures: { conflict: { params: { conversation_id: '$withServer' }, body: { name: 'tools', server: remote } } },
  },
  removeMcpServer: {
    success: { ...named('$withServer', 'tools'), reply: { success: true } },
    failures: { not_found: named('$new', 'tools') },
  },
  restartMcpServer: {
    success: { ...named('$withServer', 'tools'), reply: { name: 'tools' } },
    failures: { not_found: named('$new', 'tools') },
  },
  testMcpServer: {
    success: { body: { server: local, sandbox_id: '$sandbox' }, reply: { ok: false } },
    failures: { engine_unavailable: { body: { server: local } } },
  },
  startMcpSignIn: {
    success: { body: { server: remote }, reply: { status: 'failed' } },
    failures: { bad_request: { body: { server: local } } },
  },
  getMcpSignIn: { success: job, failures: { not_found: noJob } },
  submitMcpSignIn: {
    success: submitted,
    failures: { not_found: noJob, bad_request: { body: { callback_url: 'nothing' } } },
  },
  endMcpSignIn: { success: { query: { state: 'nobody' } } },
  forgetMcpSignIn: { success: { body: { url: remote.url }, reply: { success: true } } },
}

export const GATEWAY_TOOL_SERVER_CASES: CaseTable = {
  gatewayTestMcp: { success: { body: { server: local }, reply: { ok: false } } },
  gatewayStartMcpSignIn: {
    success: { key: 'app', body: { server: remote }, reply: { ok: false } },
    failures: { bad_request: { body: { server: local } }, forbidden: { key: 'sandbox' } },
  },
  gatewayGetMcpSignIn: {
    success: { key: 'app', ...job },
    failures: { not_found: noJob, forbidden: { key: 'sandbox' } },
  },
  gatewaySubmitMcpSignIn: {
    success: { key: 'app', ...submitted },
    failures: {
      not_found: noJob,
      bad_request: { body: { callback_url: 'nothing' } },
      forbidden: { key: 'sandbox' },
    },
  },
}
