import type { CaseTable } from '../../../parts/operation/case.ts'

const inSandbox = { sandbox_id: '$sandbox' }
const unknown = { params: { ...inSandbox, terminal_id: 'unknown' } }
const broken = { params: { sandbox_id: '$brokenSandbox' } }
const noFolder = { body: { cwd: '/no/such/folder' } }

export const TERMINAL_CASES: CaseTable = {
  listTerminals: { success: { params: inSandbox, needs: ['terminal'], reply: [{ sandbox_id: '$sandbox' }] } },
  createTerminal: {
    success: { params: inSandbox, body: { name: 'Build', cols: 100 }, reply: { name: 'Build', status: 'running' } },
    failures: {
      sandbox_not_running: broken,
      file_not_found: noFolder,
      conversation_not_found: { body: { conversation_id: 'f'.repeat(32) } },
      invalid_id: { body: { conversation_id: 'x'.repeat(101) } },
    },
  },
  updateTerminal: {
    success: {
      params: { ...inSandbox, terminal_id: '$terminal' },
      body: { name: 'Tests', rows: 40 },
      reply: { name: 'Tests', rows: 40 },
    },
    failures: { not_found: unknown },
  },
  restartTerminal: {
    success: { params: { ...inSandbox, terminal_id: '$endedTerminal' }, reply: { status: 'running' } },
    failures: {
      not_found: unknown,
      conflict: { params: { ...inSandbox, terminal_id: '$terminal' } },
      file_not_found: { params: { ...inSandbox, terminal_id: '$misplacedTerminal' } },
      sandbox_not_running: { params: { sandbox_id: '$stoppedTerminalSandbox', terminal_id: '$stoppedTerminal' } },
    },
  },
  closeTerminal: {
    success: { params: { ...inSandbox, terminal_id: '$spareTerminal' }, reply: { success: true } },
    failures: {
      not_found: unknown,
      conflict: { params: { ...inSandbox, terminal_id: '$busyTerminal' }, query: { if_idle: true } },
    },
  },
}
