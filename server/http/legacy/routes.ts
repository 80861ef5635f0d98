import type { Express } from 'express'
import { type NewConversationRequest, newConversation } from '../../api/legacy/conversations.ts'
import { getSettings, storeSettings } from '../../api/v1/settings/settings.ts'
import { isAppError } from '../../domain/errors.ts'
import { type ConversationId, newConversationId } from '../../domain/ids.ts'
import { isConversationName, legacyConversationId } from '../../legacy/ids.ts'
import { toStartRequest } from '../../legacy/request.ts'
import { settingsWarnings } from '../../settings/price.ts'
import type { Services } from '../core/services.ts'
import { LegacyError } from '../mount/errors.ts'
import { mount } from '../mount/mount.ts'
import { mountLegacyConversations } from './conversations.ts'
import { withLegacyErrors } from './errors.ts'
import { mountLegacyGitData } from './git-data.ts'
import { mountLegacyOptions } from './options.ts'
import { mountLegacyWorkspace } from './workspace.ts'

/** The legacy generation: its own shapes over the same services. */
export function mountLegacy(app: Express, services: Services): void {
  mount(app, getSettings, async () => {
    try {
      return await services.settings.legacyReply()
    } catch (error) {
      if (isAppError(error, 'settings_not_found')) throw new LegacyError(404, { error: error.message })
      throw error
    }
  })
  mount(app, storeSettings, ({ body }) =>
    withLegacyErrors({ error: 'Something went wrong storing settings' }, async () => {
      await services.settings.save(body)
      const warnings = settingsWarnings(services.settings.read())
      return { message: 'Settings stored', ...(warnings.length > 0 && { warnings }) }
    }),
  )
  mount(app, newConversation, async ({ body, signal }) => {
    const conversation_id = await withLegacyMessage(async () => {
      if (!body.replay_json) await requireModel(services)
      return startConversation(services, body, signal)
    })
    return { status: 'ok', conversation_id, message: null, conversation_status: 'STARTING' as const }
  })
  mountLegacyConversations(app, services)
  mountLegacyWorkspace(app, services)
  mountLegacyOptions(app, services)
  mountLegacyGitData(app, services)
}

/** Returns the id that the conversation will have. */
async function startConversation(
  services: Services,
  body: NewConversationRequest,
  signal: AbortSignal,
): Promise<string> {
  const { starter, legacy } = services
  const { conversation_id: named } = body
  const id = named === undefined ? newConversationId() : legacyConversationId(named)
  const request = toStartRequest(body, id)
  const { selected_repository: repository, git_provider } = request
  if (repository) {
    const provider = git_provider ?? 'github'
    if (await legacy.isRepositoryRefused({ repository, provider }, signal))
      throw new LegacyError(401, `Unable to access repo ${repository}`)
  }
  const { replay_json: replay = null, conversation_instructions: instructions = null } = body
  await keepServers(services, id, body.mcp_config)
  if (replay === null) starter.start(request, { instructions })
  else await starter.startReplay(request, replay, { instructions })
  legacy.created.keep(id, named !== undefined && isConversationName(named) ? named : null)
  return legacy.created.nameOf(id)
}

/** Before the start, so that the first run has them. Those of a start that fails go when the service starts again. */
async function keepServers(
  { conversations, startTasks, toolServers }: Services,
  id: ConversationId,
  config: NewConversationRequest['mcp_config'],
): Promise<void> {
  const isTaken = conversations.exists(id) || startTasks.starting().some(({ conversationId }) => conversationId === id)
  if (config && !isTaken) await toolServers.keep(id, { config, namedBy: 'person' })
}

/** Existing clients read `message`. */
async function withLegacyMessage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error)) throw error
    const { status, code, message } = error
    throw new LegacyError(status, { status: 'error', message, msg_id: `CONVERSATION$${code.toUpperCase()}` }, error)
  }
}

async function requireModel({ settings }: Services): Promise<void> {
  if (!settings.exist()) throw refused('Settings not found', 'CONFIGURATION$SETTINGS_NOT_FOUND')
  if (await settings.lacksModelKey()) {
    throw refused(
      'Error authenticating with the LLM provider. Please check your API key',
      'STATUS$ERROR_LLM_AUTHENTICATION',
    )
  }
}

function refused(message: string, msg_id: string): LegacyError {
  return new LegacyError(400, { status: 'error', message, msg_id })
}
