import type { Express } from 'express'
import type { GatewayServices } from '../../agent-server/services.ts'
import * as server from '../../api/agent-server/server.ts'
import { OWN_TOOLS } from '../../api/event/own-tools.ts'
import { AppError } from '../../domain/errors.ts'
import { mountGateway } from './mount.ts'

/** The agent server that existing clients take it for; some compare it with the versions that have what they need. */
const COMPATIBLE_WITH = '1.44.0'

export function mountGatewayServer(
  app: Express,
  { system }: GatewayServices,
  options: { version: string; startedAt: number; lastRequestAt: () => number },
): void {
  mountGateway(app, server.gatewayAlive, () => ({ status: 'ok' }) as const)
  mountGateway(app, server.gatewayHealth, () => ({ status: 'ok' }) as const)
  mountGateway(app, server.gatewayReady, async () => {
    const { engine } = await system.status()
    if (engine.state === 'ready') return { status: 'ready' } as const
    throw new AppError('engine_unavailable', engine.reason)
  })
  const info = () => ({
    uptime: seconds(options.startedAt),
    idle_time: seconds(options.lastRequestAt()),
    title: 'OpenHands Agent Server',
    version: COMPATIBLE_WITH,
    sdk_version: COMPATIBLE_WITH,
    tools_version: COMPATIBLE_WITH,
    workspace_version: COMPATIBLE_WITH,
    atelier_version: options.version,
    build_git_sha: 'unknown',
    build_git_ref: 'unknown',
    python_version: 'none',
    usable_tools: [...OWN_TOOLS],
    runtime_idle_timeout_seconds: null,
    capabilities: [],
    max_foreground_terminal_timeout_seconds: null,
    docs: '/docs',
    redoc: null,
  })
  mountGateway(app, server.gatewayServerInfo, info)
  mountGateway(app, server.gatewayRoot, info)
  mountGateway(app, server.listGatewayTools, () => [...OWN_TOOLS])
  mountGateway(app, server.getVscodeStatus, () => ({ running: false, enabled: false }))
  mountGateway(app, server.listGatewayProviders, () => ({
    providers: [...new Set(system.knownModels().map(({ provider }) => provider))],
  }))
  mountGateway(app, server.listVerifiedModels, () => {
    const models: Record<string, string[]> = {}
    for (const { provider, name } of system.knownModels()) {
      models[provider] = [...(models[provider] ?? []), name.slice(provider.length + 1)]
    }
    return { models }
  })
  mountGateway(app, server.listGatewayModels, ({ query }) => ({
    models: system
      .knownModels()
      .filter(({ provider }) => !query.provider || provider === query.provider)
      .map(({ name }) => name),
  }))
}

function seconds(since: number): number {
  return (Date.now() - since) / 1000
}
