/** The client of the service, as other programs import it in a browser: `atelier/client`. */
export { ApiError, type ApiErrorCode } from './api-error.ts'
export { Atelier, type AtelierOptions, type NewConversation, type StartOptions } from './atelier.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export {
  type Confirmation,
  Conversation,
  type ConversationResult,
  type WaitOptions,
} from './conversation.ts'
export type { FollowOptions } from './follow-events.ts'
export * as gatewayRoutes from './gateway-routes.ts'
export * as routes from './routes.ts'
export { type CommandResult, type RunOptions, Sandbox } from './sandbox.ts'
export { UpdatesSocket } from './updates-socket.ts'
