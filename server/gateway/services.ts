import type { SystemService } from '../system.ts'
import type { GatewayConversations } from './conversations.ts'
import type { GatewayEvents } from './events.ts'
import type { GatewaySandboxes } from './sandboxes.ts'

/** What the gateway's routes call. */
export interface GatewayServices {
  conversations: GatewayConversations
  events: GatewayEvents
  sandboxes: GatewaySandboxes
  system: SystemService
}
