import type { CaseTable } from '../../parts/operation/case.ts'

export const GATEWAY_SERVER_CASES: CaseTable = {
  gatewayAlive: { success: { reply: { status: 'ok' } } },
  gatewayHealth: { success: { reply: { status: 'ok' } } },
  gatewayReady: { success: { reply: { status: 'ready' } } },
  gatewayServerInfo: { success: { reply: { docs: '/docs' } } },
  gatewayRoot: { success: { reply: { docs: '/docs' } } },
  listGatewayTools: { success: {} },
  getVscodeStatus: { success: { reply: { enabled: false } } },
  listGatewayProviders: { success: {} },
  listVerifiedModels: { success: {} },
  listGatewayModels: { success: {} },
}
