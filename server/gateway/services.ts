import type { ClientCalls } from '../conversation/client-calls.ts'
import type { ConversationFiles } from '../conversation/conversation-files.ts'
import type { SystemService } from '../system.ts'
import type { GatewayArchives } from './archives.ts'
import type { BashService } from './bash.ts'
import type { GatewayConversations } from './conversations.ts'
import type { GatewayEvents } from './events.ts'
import type { GatewayFiles } from './files.ts'
import type { GatewayGit } from './git.ts'
import type { GatewayMcp } from './mcp.ts'
import type { GatewayProfiles } from './profiles.ts'
import type { GatewaySandboxes } from './sandboxes.ts'
import type { GatewaySettings } from './settings.ts'
import type { GatewaySkills } from './skills.ts'

/** What the gateway's routes call. */
export interface GatewayServices {
  conversations: GatewayConversations
  events: GatewayEvents
  clientCalls: Pick<ClientCalls, 'answer'>
  sandboxes: GatewaySandboxes
  bash: BashService
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
