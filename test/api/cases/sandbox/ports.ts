import type { CaseTable } from '../../../parts/operation/case.ts'

const inSandbox = { sandbox_id: '$sandbox' }

export const PORT_CASES: CaseTable = {
  listPorts: {
    success: { params: inSandbox, query: { wake: true }, reply: [] },
    failures: { sandbox_not_running: { params: { sandbox_id: '$brokenSandbox' } } },
  },
  previewPort: { success: { params: { ...inSandbox, port: 5173 } } },
  openSandboxProxy: { success: { params: inSandbox } },
}
