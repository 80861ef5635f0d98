import type { Express } from 'express'
import * as routes from '../../api/legacy/conversation-routes.ts'
import * as eventRoutes from '../../api/legacy/event-routes.ts'
import type { Services } from '../core/services.ts'
import { mountList } from '../mount/json-stream.ts'
import { mount } from '../mount/mount.ts'
import { conversationNotFound, inConversation, withLegacyRefusal } from './refusals.ts'

/** Conversations in the legacy generation's words. */
export function mountLegacyConversations(app: Express, services: Services): void {
  mountReads(app, services)
  mountChanges(app, services)
  mountEvents(app, services)
  mountMemory(app, services)
}

function mountReads(app: Express, { legacy }: Services): void {
  mount(app, routes.listConversations, ({ query }) => legacy.conversations.list(query))
  mount(app, routes.listMicroagentConversations, ({ query }) =>
    legacy.conversations.list({ ...query, conversation_trigger: 'microagent_management' }),
  )
  mount(app, routes.getConversation, ({ params }) => legacy.conversations.get(params.conversation_id))
  mount(app, routes.getConversationConfig, ({ params }) =>
    inConversation(params, id => legacy.conversations.config(id)),
  )
}

function mountChanges(app: Express, { legacy }: Services): void {
  mount(app, routes.updateConversation, ({ params, body }) =>
    withLegacyRefusal(
      () => legacy.conversations.rename(params.conversation_id, body.title),
      error => conversationNotFound(error, { msg_id: 'CONVERSATION$NOT_FOUND', message: 'Conversation not found' }),
    ),
  )
  mount(app, routes.deleteConversation, ({ params }) => legacy.conversations.delete(params.conversation_id))
  mount(app, routes.startConversation, ({ params: { conversation_id } }) =>
    withLegacyRefusal(
      () => legacy.conversations.start(conversation_id),
      error =>
        conversationNotFound(error, { conversation_id }) ?? {
          status: 500,
          body: { status: 'error', conversation_id, message: `Failed to start conversation: ${error.message}` },
        },
    ),
  )
  mount(app, routes.stopConversation, ({ params: { conversation_id } }) =>
    withLegacyRefusal(
      () => legacy.conversations.stop(conversation_id),
      error =>
        conversationNotFound(error, { conversation_id }) ?? {
          status: error.code === 'conversation_elsewhere' ? error.status : 500,
          body: { status: 'error', conversation_id, message: `Failed to stop conversation: ${error.message}` },
        },
    ),
  )
}

function mountEvents(app: Express, { legacy }: Services): void {
  mount(app, eventRoutes.getLegacyEvents, ({ params, query, body }) =>
    inConversation(params, id => legacy.events.page(id, query, body ?? query)),
  )
  mount(app, eventRoutes.postLegacyEvent, ({ params, body }) =>
    inConversation(params, async id => {
      await legacy.events.post(id, body)
      return { success: true as const }
    }),
  )
  mount(app, eventRoutes.postLegacyMessage, ({ params, body }) =>
    inConversation(
      params,
      async id => {
        await legacy.events.post(id, { action: 'message', args: { content: body.message } })
        return { success: true as const }
      },
      error => ({ status: error.status, body: { success: false, error: error.message } }),
    ),
  )
  mountList(app, eventRoutes.getTrajectory, 'trajectory', ({ params }) =>
    inConversation(params, id => legacy.events.trajectory(id)),
  )
}

function mountMemory(app: Express, { legacy }: Services): void {
  mount(app, routes.storeExperimentConfig, ({ params, body }) =>
    inConversation(params, id => {
      legacy.experiments.keep(legacy.conversations.find(id), body.config ?? {})
      return false
    }),
  )
  mount(app, routes.rememberPrompt, ({ params, query, signal }) =>
    inConversation(
      params,
      async id => ({ status: 'success' as const, prompt: await legacy.remember(id, query.event_id, signal) }),
      error => ({ status: error.status, body: { error: error.message } }),
    ),
  )
  mount(app, routes.submitFeedback, ({ params, body }) =>
    inConversation(params, async id => ({
      message: 'Feedback kept on this machine',
      feedback_id: await legacy.feedback.add(legacy.conversations.find(id), body),
    })),
  )
}
