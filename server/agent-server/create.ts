import type { Bus } from '../bus.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Mask } from '../secret/mask/mask.ts'
import { GatewayConversations, type GatewayConversationsDependencies } from './conversations.ts'
import { GatewayEvents } from './event/events.ts'
import { GatewayMcp, type GatewayMcpDependencies } from './mcp.ts'
import { GatewaySandboxes } from './sandboxes.ts'
import type { GatewayServices } from './services.ts'
import { GatewayProfiles } from './settings/profiles.ts'
import { GatewaySettings, type GatewaySettingsDependencies } from './settings/settings.ts'
import { GatewaySkills } from './skills.ts'
import { GatewayArchives } from './workspace/archives.ts'
import { BashService } from './workspace/bash.ts'
import { GatewayFiles } from './workspace/files.ts'
import { GatewayGit } from './workspace/git.ts'
import { BashHistories } from './workspace/histories.ts'

type Dependencies = Omit<GatewayConversationsDependencies, 'sandboxes'> &
  ConstructorParameters<typeof GatewaySandboxes>[0] & {
    userHome: string
    outbound: Outbound
    trajectories: GatewayServices['trajectories']
    clientCalls: GatewayServices['clientCalls']
    bus: Bus
    mask: Mask
  } & Omit<GatewayMcpDependencies, 'sandboxes'> &
  GatewaySettingsDependencies

/** What stands behind the gateway, on top of the app's own services. */
export function createGateway(dependencies: Dependencies): Omit<GatewayServices, 'system' | 'terminals'> {
  const { bus, mask } = dependencies
  const sandboxes = new GatewaySandboxes(dependencies)
  const histories = new BashHistories({ bus, batch: ids => dependencies.sandboxes.batch(ids) })
  return {
    sandboxes,
    bash: new BashService({ sandboxes, histories, mask }),
    files: new GatewayFiles(sandboxes),
    archives: new GatewayArchives(sandboxes),
    trajectories: dependencies.trajectories,
    clientCalls: dependencies.clientCalls,
    git: new GatewayGit(sandboxes, mask),
    skills: new GatewaySkills(sandboxes, dependencies.userHome, mask),
    mcp: new GatewayMcp({ ...dependencies, sandboxes }),
    profiles: new GatewayProfiles(dependencies),
    settings: new GatewaySettings(dependencies),
    conversations: new GatewayConversations({ ...dependencies, sandboxes }),
    events: new GatewayEvents(dependencies.conversations, dependencies.settings),
  }
}
