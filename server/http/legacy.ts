import type { Express } from 'express'
import { appConversationStartRequest } from '../api/app-conversations.ts'
import { type NewConversationRequest, newConversation } from '../api/conversations.ts'
import type { Content } from '../api/events.ts'
import { getSettings, storeSettings } from '../api/settings.ts'
import { isAppError } from '../errors.ts'
import { type ConversationId, newConversationId, parseConversationId } from '../ids.ts'
import { LegacyError } from './errors.ts'
import { asLegacy } from './legacy-errors.ts'
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

function toStartRequest(body: NewConversationRequest, conversationId: ConversationId) {
  const content: Content[] = []
  if (body.initial_user_msg) content.push({ type: 'text', text: body.initial_user_msg })
  if (body.image_urls?.length) content.push({ type: 'image', image_urls: body.image_urls })
  return appConversationStartRequest.parse({
    conversation_id: conversationId,
    selected_repository: body.repository,
    selected_branch: body.selected_branch,
    git_provider: body.git_provider,
    initial_message: content.length > 0 ? { role: 'user', content, run: true } : null,
    trigger: 'gui',
  })
}
