import type { ConversationFiles } from '../conversation/files/files.ts'
import type { ClientCalls } from '../conversation/tools/client-calls.ts'
import type { SystemService } from '../system/system.ts'
import type { Terminals } from '../terminal/terminals.ts'
import type { GatewayConversations } from './conversations.ts'
import type { GatewayEvents } from './event/events.ts'
import type { GatewayMcp } from './mcp.ts'
import type { GatewaySandboxes } from './sandboxes.ts'
import type { GatewayProfiles } from './settings/profiles.ts'
import type { GatewaySettings } from './settings/settings.ts'
import type { GatewaySkills } from './skills.ts'
import type { GatewayArchives } from './workspace/archives.ts'
import type { BashService } from './workspace/bash.ts'
import type { GatewayFiles } from './workspace/files.ts'
import type { GatewayGit } from './workspace/git.ts'

/** What the gateway's routes call. */
export interface GatewayServices {
  conversations: GatewayConversations
  events: GatewayEvents
  clientCalls: Pick<ClientCalls, 'answer'>
  sandboxes: GatewaySandboxes
  bash: BashService
  terminals: Terminals
  files: GatewayFiles
  archives: GatewayArchives
  trajectories: Pick<ConversationFiles, 'download'>
  git: GatewayGit
  skills: GatewaySkills
  mcp: GatewayMcp
  profiles: GatewayProfiles
  settings: GatewaySettings
  system: SystemService
}
