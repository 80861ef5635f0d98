import type { McpServer } from '../../api/v1/settings/mcp-servers.ts'
import type { McpServerState, McpTestReply, McpTestRequest } from '../../api/v1/settings/mcp-states.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { McpHub, OwnServers, ServerOwner } from '../../mcp/hub.ts'
import type { SignIns } from '../../mcp/sign-in/sign-in.ts'
import type { McpTokens } from '../../mcp/sign-in/tokens.ts'
import type { NamedBy, Outbound } from '../../outbound/outbound.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { ConversationService } from '../service.ts'
import type { ServerAdmission } from './server-admission.ts'

interface Dependencies {
  version: string
  outbound: Outbound
  hub: McpHub
  tokens: McpTokens
  signIns: SignIns
  conversations: Pick<ConversationService, 'find' | 'findOwn'>
  sandboxes: SandboxService
  admission: ServerAdmission
  mask: Pick<Mask, 'mask'>
}

/** What people and clients do with tool servers. */
export class ToolServers {
  readonly #dependencies: Dependencies
  readonly signIns: SignIns

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.signIns = dependencies.signIns
  }

  /** @throws AppError conversation_not_found, or one of the vault */
  async list(conversationId: string): Promise<McpServerState[]> {
    const { conversations, hub } = this.#dependencies
    return hub.states(conversations.find(conversationId).id)
  }

  /** @throws AppError conversation_not_found, conversation_elsewhere, conflict, or one of the vault */
  async add(conversationId: string, name: string, server: McpServer): Promise<McpServerState> {
    const conversation = this.#dependencies.conversations.findOwn(conversationId)
    await this.#dependencies.hub.add(conversation, name, server)
    return this.#state(conversation.id, name)
  }

  /** @throws AppError conversation_not_found, conversation_elsewhere, not_found, or one of the vault */
  async remove(conversationId: string, name: string): Promise<void> {
    const { conversations, hub } = this.#dependencies
    await hub.remove(conversations.findOwn(conversationId), name)
  }

  /** @throws AppError conversation_not_found, conversation_elsewhere, not_found, or one of the vault */
  async restart(conversationId: string, name: string): Promise<McpServerState> {
    const conversation = this.#dependencies.conversations.findOwn(conversationId)
    await this.#dependencies.hub.restart(conversation, name)
    return this.#state(conversation.id, name)
  }

  /** What a conversation that is about to start brings along. @throws AppError of the vault */
  async keep(conversationId: string, own: OwnServers): Promise<void> {
    await this.#dependencies.hub.keep(conversationId, own)
  }

  /** Of a conversation that did not start after all. */
  forget(conversationId: string): Promise<void> {
    return this.#dependencies.hub.forget(conversationId)
  }

  /**
   * Where a command is to run: in the sandbox that is named, else in one that is started for the test and removed after
   * it. @throws AppError of the sandbox
   */
  async test(request: McpTestRequest, signal: AbortSignal, options = THE_PERSON): Promise<McpTestReply> {
    const { sandboxes } = this.#dependencies
    const run = (sandbox: () => Promise<SandboxHandle>) => this.#probe(request, { sandbox, signal, ...options })
    if (request.server.transport !== 'stdio') return run(noSandbox)
    const given = request.sandbox_id
    if (given) return run(() => sandboxes.open(given))
    let id: string
    try {
      id = (await sandboxes.start(undefined, { signal, isProvisional: true })).id
    } catch (error) {
      return await this.#notStarted(request, error, signal)
    }
    try {
      return await run(() => sandboxes.open(id))
    } finally {
      await sandboxes.abandon(id)
    }
  }

  /** A sandbox that cannot be had is a result of the test, unless there is no engine to ask. */
  async #notStarted(request: McpTestRequest, error: unknown, signal: AbortSignal): Promise<McpTestReply> {
    if (signal.aborted || !isAppError(error) || error.code === 'engine_unavailable') throw error
    const { toFailure } = await import('../../mcp/connection/failures.ts')
    const { problem } = toFailure(error, request.server)
    return { ok: false, ...problem, error: this.#dependencies.mask.mask(problem.error), log: [] }
  }

  async #probe(
    request: McpTestRequest,
    options: Requester & { sandbox: () => Promise<SandboxHandle>; signal: AbortSignal },
  ): Promise<McpTestReply> {
    const { version, outbound, tokens, hub, admission, mask } = this.#dependencies
    const { probe } = await import('../../mcp/connection/probe.ts')
    return probe(request, {
      version,
      outbound,
      namedBy: options.namedBy,
      tokens,
      sandbox: options.sandbox,
      prepare: async server => (options.withSecrets ? hub.prepare(server) : hub.learn(server)),
      admit: (server, sandbox, signal) => admission.admit(NO_CONVERSATION, server, { sandbox, signal }),
      mask: mask.mask,
      signal: options.signal,
    })
  }

  async #state(conversationId: string, name: string): Promise<McpServerState> {
    const state = (await this.#dependencies.hub.states(conversationId)).find(found => found.name === name)
    if (!state) throw new AppError('not_found', 'The tool server was removed in the meantime.')
    return state
  }
}

/** Its sandbox may hold any repository, and no conversation can ask for trust. */
const NO_CONVERSATION: ServerOwner = { id: '', sandbox_id: '', working_dir: undefined }

/** On whose word a server is tried. */
interface Requester {
  withSecrets: boolean
  namedBy: NamedBy
}

const THE_PERSON: Requester = { withSecrets: true, namedBy: 'person' }

async function noSandbox(): Promise<never> {
  throw new AppError('internal', 'A server with an address needs no sandbox.')
}
