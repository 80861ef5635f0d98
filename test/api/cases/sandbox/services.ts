import type { CaseTable } from '../../../parts/operation/case.ts'

const params = { sandbox_id: '$servicesSandbox' }
const cache = { file: 'compose.yaml', problem: null, services: [{ name: 'cache' }], left_out: [] }
const unknown = { not_found: { body: { names: ['unknown'] } } }
const notRunning = { sandbox_not_running: { params: { sandbox_id: '$brokenSandbox' } } }
/** Its compose file is not one. */
const unusable = { bad_request: { params: { sandbox_id: '$unusableServices' } } }

export const SERVICE_CASES: CaseTable = {
  listSandboxServices: { success: { params, reply: cache } },
  startSandboxServices: {
    success: { params, body: { names: ['cache'] }, reply: cache },
    failures: { ...unknown, ...notRunning, ...unusable },
  },
  stopSandboxServices: { success: { params, body: { names: ['cache'] }, reply: cache }, failures: unknown },
  restartSandboxServices: {
    success: { params, body: { names: ['cache'] }, reply: cache },
    failures: { ...unknown, ...notRunning, ...unusable },
  },
  deleteSandboxServices: { success: { params, reply: cache } },
  getSandboxServiceLog: {
    success: { params: { ...params, name: 'cache' }, query: { tail: 200 }, reply: { text: '' } },
    failures: { not_found: { params: { ...params, name: 'unknown' } } },
  },
}
