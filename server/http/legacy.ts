import type { Express } from 'express'
import { newConversation } from '../api/conversations.ts'
import { getSettings, storeSettings } from '../api/settings.ts'
import { toStartRequest } from '../conversation/legacy-request.ts'
import { isAppError } from '../errors.ts'
import { newConversationId, parseConversationId } from '../ids.ts'
import { LegacyError } from './errors.ts'
import { mountLegacyConversations } from './legacy-conversations.ts'
import { asLegacy } from './legacy-errors.ts'
import { mountLegacyOptions } from './legacy-options.ts'
import { mountLegacyWorkspace } from './legacy-workspace.ts'
import { mount } from './mount.ts'
import type { Services } from './services.ts'

/** The legacy generation: its own shapes over the same services. */
export function mountLegacy(app: Express, services: Services): void {
  mount(app, getSettings, async () => {
    try {
      return await services.settings.reply()
    } catch (error) {
      if (isAppError(error, 'settings_not_found')) throw new LegacyError(404, { error: error.message })
      throw error
    }
  })
  mount(app, storeSettings, ({ body }) =>
    asLegacy({ error: 'Something went wrong storing settings' }, async () => {
      await services.settings.save(body)
      return { message: 'Settings stored' }
    }),
  )
  mount(app, newConversation, async ({ body }) => {
    if (!body.replay_json) await requireModel(services)
    const conversationId = body.conversation_id ? parseConversationId(body.conversation_id) : newConversationId()
    services.starter.start(toStartRequest(body, conversationId), {
      replay: body.replay_json ?? null,
      instructions: body.conversation_instructions ?? null,
    })
    return {
      status: 'ok',
      conversation_id: conversationId,
      message: null,
      conversation_status: 'STARTING' as const,
    }
  })
  mountLegacyConversations(app, services)
  mountLegacyWorkspace(app, services)
  mountLegacyOptions(app, services)
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
