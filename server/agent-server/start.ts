import type { StartConversationRequest } from '../api/agent-server/start-request.ts'
import { newAppConversation } from '../api/v1/conversation/starts.ts'
import type { ModelChoices } from '../conversation/model-choice.ts'
import type { Starter } from '../conversation/start/starter.ts'
import type { StartTasks } from '../conversation/start/tasks.ts'
import type { ToolServers } from '../conversation/tools/tool-servers.ts'
import { AppError } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { SettingsService } from '../settings/service.ts'
import type { ConversationTable } from '../store/conversation/conversations.ts'
import type { ConversationOptions, ConversationOptionsTable } from '../store/conversation/options.ts'
import { type Access, namedByOf } from './access.ts'
import type { GatewaySandboxes } from './sandboxes.ts'
import {
  absolute,
  checkStartRequest,
  NO_SERVERS,
  secretsOf,
  toAnalyzer,
  toConversationOptions,
  toPolicy,
} from './start-request.ts'

export interface StartDependencies {
  toolServers: ToolServers
  rows: ConversationTable
  table: ConversationOptionsTable
  models: ModelChoices
  sandboxes: GatewaySandboxes
  starter: Starter
  startTasks: StartTasks
  settings: SettingsService
}

/** What a client asks for, once it is known that it may. */
export interface StartInput {
  access: Access
  /** No conversation has it yet. */
  id: ConversationId
  request: StartConversationRequest
  parentId: ConversationId | null
  signal: AbortSignal
}

/** Makes a conversation that says nothing yet, with all that the client wants of it. @throws AppError */
export async function startConversation(beginning: StartInput, dependencies: StartDependencies): Promise<void> {
  const { id, request } = beginning
  checkStartRequest(request)
  const { models, table, rows, settings, toolServers } = dependencies
  const { llm, mcp_config } = request.agent ?? request.agent_settings ?? {}
  const asked = toConversationOptions(
    request,
    models.check(llm, namedByOf(beginning.access)),
    settings.read().llm_model,
  )
  models.checkSaved(asked.agent.titleProfile, 'title_llm_profile')
  if (request.initial_message && !asked.llm && !settings.read().llm_model) {
    throw new AppError('model_not_set', 'No model is set up. Choose one in Settings › Model, or name one in agent.llm.')
  }
  await prepare(asked, beginning, dependencies)
  if (mcp_config && Object.keys(mcp_config).length > 0) {
    await toolServers.keep(id, { config: NO_SERVERS, servers: mcp_config, namedBy: namedByOf(beginning.access) })
  }
  table.save(id, asked)
  models.keep(id, llm)
  rows.update(id, {
    confirmation_policy: toPolicy(request.confirmation_policy),
    security_analyzer: toAnalyzer(request.security_analyzer?.kind),
    stuck_detection: request.stuck_detection,
    ...(request.max_iterations && { max_iterations: request.max_iterations }),
  })
}

/** Sandbox and folder. */
async function prepare(
  { llm }: ConversationOptions,
  { access, id, request, parentId, signal }: StartInput,
  { sandboxes, starter, startTasks }: StartDependencies,
): Promise<void> {
  const start = newAppConversation.parse({
    conversation_id: id,
    sandbox_id: await sandboxes.running(access, signal),
    llm_model: llm?.model ?? null,
    title: request.title ?? null,
    trigger: 'openhands_api',
    parent_conversation_id: parentId,
    secrets: secretsOf(request),
  })
  const task = starter.start(start, { folder: absolute(request.workspace.working_dir) })
  await startTasks.end(task.id)
}
