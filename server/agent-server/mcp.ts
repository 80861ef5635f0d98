import type { McpTestReply, McpTestRequest } from '../api/v1/settings/mcp-states.ts'
import { timeLimit } from '../async/time-limit.ts'
import type { ConversationService } from '../conversation/service.ts'
import type { ToolServers } from '../conversation/tools/tool-servers.ts'
import { AppError } from '../domain/errors.ts'
import { type McpHub, type ServerOwner, sandboxOwner } from '../mcp/hub.ts'
import type { SignIns } from '../mcp/sign-in/sign-in.ts'
import type { ConversationTable } from '../store/conversation/conversations.ts'
import type { Tool } from '../tools/tool.ts'
import { type Access, namedByOf } from './access.ts'
import type { GatewaySandboxes } from './sandboxes.ts'

export interface GatewayMcpDependencies {
  version: string
  hub: McpHub
  toolServers: ToolServers
  conversations: Pick<ConversationService, 'find'>
  rows: ConversationTable
  sandboxes: GatewaySandboxes
}

/** Other programs list tools once: they get what is there within this time. */
const START_MS = 20_000

/** One address a sandbox for the tool servers that run in it, for other programs. */
export class GatewayMcp {
  readonly #dependencies: GatewayMcpDependencies

  constructor(dependencies: GatewayMcpDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * @param conversationId whose servers; the newest conversation of the sandbox, if none is named
   * @throws AppError sandbox_not_found, sandbox_not_running, conversation_not_found
   */
  async fetch(
    request: Request,
    options: { access: Access; conversationId: string | undefined; body: unknown },
  ): Promise<Response> {
    const { version, sandboxes } = this.#dependencies
    const sandboxId = await sandboxes.running(options.access, request.signal)
    const owner = this.#owner(sandboxId, options)
    const { serveTools } = await import('../mcp/endpoint.ts')
    return serveTools(request, options.body, { version, tools: () => this.#tools(owner, request.signal) })
  }

  /**
   * With a sandbox's key a command runs in that sandbox, and no secret is put in the place of its name.
   * @throws AppError of the sandbox
   */
  async test(access: Access, request: McpTestRequest, signal: AbortSignal): Promise<McpTestReply> {
    const { toolServers, sandboxes } = this.#dependencies
    const sandbox_id = request.server.transport === 'stdio' ? await sandboxes.running(access, signal) : null
    return toolServers.test({ ...request, sandbox_id }, signal, {
      withSecrets: access.kind === 'all',
      namedBy: namedByOf(access),
    })
  }

  /** Signing in is for all conversations, so a sandbox's key is not enough. @throws AppError forbidden, not_found */
  signIns(access: Access): SignIns {
    if (access.kind === 'all') return this.#dependencies.toolServers.signIns
    throw new AppError(
      'forbidden',
      "Signing in to tool servers needs the app's own key. Use that, or sign in from Atelier.",
    )
  }

  async #tools(owner: ServerOwner, signal: AbortSignal): Promise<readonly Tool[]> {
    const session = this.#dependencies.hub.session(owner)
    await session.wake()
    await session.settled(AbortSignal.any([signal, timeLimit(START_MS)]))
    return session.tools('stdio')
  }

  #owner(sandboxId: string, { conversationId }: { conversationId: string | undefined }): ServerOwner {
    const { conversations, rows } = this.#dependencies
    const named = conversationId ? conversations.find(conversationId) : undefined
    if (named?.sandbox_id === sandboxId) return named
    const [newest] = rows.list({ sandboxId, includeSubConversations: true }, 'created_at', 0, 1)
    return newest ?? sandboxOwner(sandboxId)
  }
}
