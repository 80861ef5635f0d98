import type { Express } from 'express'
import type { GatewayServices } from '../../agent-server/services.ts'
import * as branching from '../../api/agent-server/branching.ts'
import * as choices from '../../api/agent-server/choices.ts'
import * as conversations from '../../api/agent-server/conversations.ts'
import * as events from '../../api/agent-server/events.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import { ValidationError } from '../mount/validation.ts'
import { mountGateway, OtherStatus } from './mount.ts'

const OK = { success: true }

/** The conversations of a sandbox and their events: a handler is one expression. */
export function mountGatewayConversations(app: Express, services: GatewayServices): void {
  mountStart(app, services)
  mountCommands(app, services)
  mountChoices(app, services)
  mountBranching(app, services)
  mountEvents(app, services)
}

function mountStart(app: Express, { conversations: service }: GatewayServices): void {
  mountGateway(app, conversations.startGatewayConversation, async ({ access, body, signal }) => {
    const { info, isNew } = await service.start(access, body, signal).catch(badField)
    return new OtherStatus(isNew ? 201 : 200, info)
  })
  mountGateway(app, conversations.searchGatewayConversations, ({ access, query }) =>
    service.search(access, {
      status: query.status,
      order: query.sort_order,
      pageId: query.page_id,
      limit: query.limit,
    }),
  )
  mountGateway(app, conversations.countGatewayConversations, ({ access, query }) => service.count(access, query.status))
  mountGateway(app, conversations.batchGetGatewayConversations, ({ access, query }) => service.batch(access, query.ids))
  mountGateway(app, conversations.getGatewayConversation, ({ access, params }) =>
    service.info(service.find(access, params.conversation_id)),
  )
  mountGateway(app, conversations.updateGatewayConversation, async ({ access, params, body }) => ({
    success: await service.update(access, params.conversation_id, body),
  }))
}

/** What is started can lack no other conversation than its parent; what does not fit names its field. */
function badField(error: unknown): never {
  if (isAppError(error, 'conversation_not_found')) {
    throw ValidationError.ofField('parent_conversation_id', 'there is no such conversation')
  }
  if (isAppError(error, 'bad_request') && typeof error.details.field === 'string') {
    throw ValidationError.ofField(error.details.field, error.message)
  }
  throw error
}

function mountCommands(app: Express, { conversations: service }: GatewayServices): void {
  mountGateway(app, conversations.deleteGatewayConversation, ({ access, params }) =>
    missingAsBad(() => service.delete(access, params.conversation_id)),
  )
  mountGateway(app, conversations.runGatewayConversation, ({ access, params }) => {
    service.run(access, params.conversation_id)
    return OK
  })
  mountGateway(app, conversations.pauseGatewayConversation, ({ access, params }) =>
    missingAsBad(() => service.pause(access, params.conversation_id)),
  )
  mountGateway(app, conversations.interruptGatewayConversation, ({ access, params }) =>
    missingAsBad(() => service.interrupt(access, params.conversation_id)),
  )
}

/** Existing clients expect 400, not 404, of these. */
async function missingAsBad(act: () => void | Promise<void>): Promise<typeof OK> {
  try {
    await act()
    return OK
  } catch (error) {
    if (isAppError(error, 'conversation_not_found')) throw new AppError('bad_request', error.message)
    throw error
  }
}

function mountBranching(app: Express, { conversations: service }: GatewayServices): void {
  mountGateway(app, branching.askGatewayAgent, async ({ access, params, body, signal }) => ({
    response: await service.ask(access, params.conversation_id, body.question, signal),
  }))
  mountGateway(app, branching.condenseGatewayConversation, ({ access, params }) => {
    service.condense(access, params.conversation_id)
    return OK
  })
  mountGateway(app, branching.forkGatewayConversation, ({ access, params, body: { id, ...body } }) =>
    service.fork(access, params.conversation_id, { ...body, conversation_id: id }),
  )
  mountGateway(app, branching.navigateGatewayConversation, ({ access, params, body }) =>
    service.navigate(access, params.conversation_id, body.event_id),
  )
}

function mountChoices(app: Express, { conversations: service }: GatewayServices): void {
  mountGateway(app, choices.setConfirmationPolicy, async ({ access, params, body }) => {
    await service.setPolicy(access, params.conversation_id, body.policy)
    return OK
  })
  mountGateway(app, choices.setSecurityAnalyzer, async ({ access, params, body }) => {
    await service.setAnalyzer(access, params.conversation_id, body.security_analyzer?.kind ?? null)
    return OK
  })
  mountGateway(app, choices.setGatewaySecrets, async ({ access, params, body }) => {
    await service.addSecrets(access, params.conversation_id, body.secrets)
    return OK
  })
  mountGateway(app, choices.switchLlm, async ({ access, params, body }) => {
    await service.switchLlm(access, params.conversation_id, body.llm)
    return OK
  })
  mountGateway(app, choices.getAgentFinalResponse, ({ access, params }) => ({
    response: service.finalResponse(access, params.conversation_id),
  }))
  mountGateway(app, choices.generateTitle, ({ access, params, body }) => ({
    title: service.title(access, params.conversation_id, body.max_length),
  }))
}

function mountEvents(app: Express, { conversations: service, events: log, clientCalls }: GatewayServices): void {
  mountGateway(app, events.searchGatewayEvents, ({ access, params, query }) =>
    log.search(service.find(access, params.conversation_id), query, {
      order: query.sort_order,
      pageId: query.page_id,
      limit: query.limit,
    }),
  )
  mountGateway(app, events.countGatewayEvents, ({ access, params, query }) =>
    log.count(service.find(access, params.conversation_id), query),
  )
  mountGateway(app, events.getGatewayEvent, ({ access, params, query }) =>
    log.get(service.find(access, params.conversation_id), params.event_id, query),
  )
  mountGateway(app, events.batchGetGatewayEvents, ({ access, params, query, body }) =>
    log.batch(service.find(access, params.conversation_id), body, query),
  )
  mountGateway(app, events.sendGatewayMessage, ({ access, params, body }) => {
    service.send(access, params.conversation_id, body)
    return OK
  })
  mountGateway(app, events.answerClientTool, ({ access, params, body }) => {
    clientCalls.answer(service.findOwn(access, params.conversation_id), body)
    return OK
  })
  mountGateway(app, events.respondToConfirmation, ({ access, params, body }) => {
    service.respond(access, params.conversation_id, body)
    return OK
  })
}
