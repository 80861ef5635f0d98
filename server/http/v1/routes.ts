import type { Express } from 'express'
import { dialectOf } from '../../agent-server/event/dialect.ts'
import { toWire } from '../../agent-server/event/wire.ts'
import type { Event } from '../../api/event/events.ts'
import type { EventDialect } from '../../api/event-dialects.ts'
import * as actions from '../../api/v1/conversation/actions.ts'
import * as conversations from '../../api/v1/conversation/conversations.ts'
import * as eventRoutes from '../../api/v1/conversation/event-routes.ts'
import * as startTaskRoutes from '../../api/v1/conversation/start-tasks.ts'
import * as starts from '../../api/v1/conversation/starts.ts'
import * as sandboxNetworks from '../../api/v1/sandbox/network.ts'
import * as sandboxes from '../../api/v1/sandbox/sandboxes.ts'
import * as sandboxSpecs from '../../api/v1/sandbox/specs.ts'
import * as system from '../../api/v1/system/system.ts'
import * as usage from '../../api/v1/system/usage.ts'
import type { Services } from '../core/services.ts'
import { mountJsonStream } from '../mount/json-stream.ts'
import { mount } from '../mount/mount.ts'
import { mountGitData } from './git-data.ts'
import { mountReplays } from './replays.ts'

const OK = { success: true }

/** The newer generation: a handler is one expression. */
export function mountV1(app: Express, services: Services): void {
  mountConversations(app, services)
  mountConversationActions(app, services)
  mountStartTasks(app, services)
  mountEvents(app, services)
  mountSandboxes(app, services)
  mountSandboxSpecs(app, services)
  mountSystem(app, services)
  mountGitData(app, services)
}

function mountConversations(app: Express, { conversations: service, starter, startTasks }: Services): void {
  mount(app, starts.createAppConversation, ({ body }) => starter.start(body))
  mountJsonStream(app, starts.streamStart, ({ body, signal }) => startTasks.follow(starter.start(body), signal))
  mount(app, conversations.searchAppConversations, ({ query }) =>
    service.search(toFilter(query), {
      order: query.sort_order === 'UPDATED_AT_DESC' ? 'updated_at' : 'created_at',
      pageId: query.page_id,
      limit: query.limit,
    }),
  )
  mount(app, conversations.countAppConversations, ({ query }) => service.count(toFilter(query)))
  mount(app, conversations.listAppConversations, ({ query }) =>
    query.ids
      ? service.batch(query.ids)
      : service.search(toFilter(query), { order: 'created_at', pageId: query.page_id, limit: query.limit }),
  )
  mount(app, conversations.updateAppConversation, ({ params, body }) => service.update(params.conversation_id, body))
  mount(app, conversations.deleteAppConversation, async ({ params }) => {
    await service.delete(params.conversation_id)
    return OK
  })
  mount(app, conversations.sendMessage, ({ params, body }) => {
    service.send(params.conversation_id, body)
    return OK
  })
  mount(app, conversations.runConversation, ({ params }) => {
    service.run(params.conversation_id)
    return OK
  })
  mount(app, conversations.pauseConversation, ({ params }) => {
    service.pause(params.conversation_id)
    return OK
  })
  mount(app, conversations.interruptConversation, async ({ params }) => {
    await service.interrupt(params.conversation_id)
    return OK
  })
  mount(app, starts.startDemonstration, () => starter.startDemonstration())
  mountReplays(app, starter)
}

function mountConversationActions(app: Express, { conversations: service, branching, questions }: Services): void {
  mount(app, actions.respondToConfirmation, ({ params, body }) => {
    service.respondToConfirmation(params.conversation_id, body)
    return OK
  })
  mount(app, actions.forkConversation, ({ params, body }) => branching.fork(params.conversation_id, body))
  mount(app, actions.navigateConversation, ({ params, body }) =>
    branching.navigate(params.conversation_id, body.event_id),
  )
  mount(app, actions.condenseConversation, ({ params }) => {
    service.condense(params.conversation_id)
    return OK
  })
  mount(app, actions.retryModel, ({ params }) => {
    service.retryModel(params.conversation_id)
    return OK
  })
  mount(app, actions.askAgent, async ({ params, body, signal }) => ({
    response: await questions.ask(params.conversation_id, body.question, signal),
  }))
  mount(app, actions.getFinalResponse, ({ params }) => ({ response: service.finalResponse(params.conversation_id) }))
}

function toFilter(query: {
  title__contains?: string | null | undefined
  created_at__gte?: string | null | undefined
  created_at__lt?: string | null | undefined
  updated_at__gte?: string | null | undefined
  updated_at__lt?: string | null | undefined
  sandbox_id__eq?: string | null | undefined
  pinned__eq?: boolean | null | undefined
  archived__eq?: boolean | null | undefined
  include_sub_conversations: boolean
}) {
  return {
    titleContains: query.title__contains ?? undefined,
    createdFrom: utc(query.created_at__gte),
    createdBefore: utc(query.created_at__lt),
    updatedFrom: utc(query.updated_at__gte),
    updatedBefore: utc(query.updated_at__lt),
    sandboxId: query.sandbox_id__eq ?? undefined,
    isPinned: query.pinned__eq ?? undefined,
    isArchived: query.archived__eq ?? undefined,
    includeSubConversations: query.include_sub_conversations,
  }
}

/** Times are stored in UTC and compared as text. */
function utc(time: string | null | undefined): string | undefined {
  return time ? new Date(time).toISOString() : undefined
}

function mountStartTasks(app: Express, { startTasks }: Services): void {
  mount(app, startTaskRoutes.batchGetStartTasks, ({ query }) => startTasks.batch(query.ids))
  mount(app, startTaskRoutes.searchStartTasks, ({ query }) =>
    startTasks.search(
      { conversationId: query.conversation_id__eq ?? undefined, createdFrom: utc(query.created_at__gte) },
      { order: query.sort_order, pageId: query.page_id, limit: query.limit },
    ),
  )
  mount(app, startTaskRoutes.countStartTasks, ({ query }) =>
    startTasks.count({
      conversationId: query.conversation_id__eq ?? undefined,
      createdFrom: utc(query.created_at__gte),
    }),
  )
  mount(app, startTaskRoutes.cancelStartTask, async ({ params }) => {
    await startTasks.cancel(params.task_id)
    return OK
  })
}

function mountEvents(app: Express, { conversations: service }: Services): void {
  mount(app, eventRoutes.searchEvents, ({ query }) =>
    inDialect(service.searchEvents(query.conversation_id__eq, toEventFilter(query), toEventPage(query)), query),
  )
  mount(app, eventRoutes.countEvents, ({ query }) =>
    service.countEvents(query.conversation_id__eq, toEventFilter(query)),
  )
  mount(app, eventRoutes.batchGetEvents, ({ query }) => service.batchEvents(query.id))
  mount(app, eventRoutes.batchGetConversationEvents, ({ params, query }) => {
    const found = new Map(service.eventsById(params.conversation_id, query.id).map(event => [event.id, event]))
    return query.id.map(id => found.get(id) ?? null)
  })
  mount(app, eventRoutes.searchConversationEvents, ({ params, query }) =>
    inDialect(service.searchEvents(params.conversation_id, toEventFilter(query), toEventPage(query)), query),
  )
  mount(app, eventRoutes.countConversationEvents, ({ params, query }) =>
    service.countEvents(params.conversation_id, toEventFilter(query)),
  )
}

/** The reply of the contract is of one type or the other; see there. */
function inDialect<Page extends { items: Event[] }>(
  page: Page,
  { event_dialect }: { event_dialect?: EventDialect | undefined },
): Page {
  if (dialectOf({ port: 'app', asked: event_dialect }, null) === 'current') return page
  return { ...page, items: page.items.map(event => toWire(event, '2025') as unknown as Event) }
}

function toEventFilter(query: {
  kind__eq?: string | null | undefined
  timestamp__gte?: string | null | undefined
  timestamp__lt?: string | null | undefined
}) {
  return {
    kind: query.kind__eq?.split('.').at(-1),
    from: utc(query.timestamp__gte),
    before: utc(query.timestamp__lt),
  }
}

function toEventPage(query: {
  sort_order: 'TIMESTAMP' | 'TIMESTAMP_DESC'
  page_id?: string | null | undefined
  limit: number
}) {
  return {
    order: query.sort_order === 'TIMESTAMP_DESC' ? ('DESC' as const) : ('ASC' as const),
    pageId: query.page_id,
    limit: query.limit,
  }
}

function mountSandboxes(app: Express, { sandboxes: service, mask }: Services): void {
  // A program may carry a secret out in a name.
  const masked = (info: sandboxNetworks.SandboxNetworkInfo) => ({
    ...info,
    attempts: info.attempts.map(each => ({ ...each, host: each.host && mask.mask(each.host) })),
  })
  mount(app, sandboxes.searchSandboxes, ({ query }) => service.search(query))
  mount(app, sandboxes.getSandboxStats, ({ query }) => service.stats(query.id))
  mount(app, sandboxes.batchGetSandboxes, ({ query }) => service.batch(query.id))
  mount(app, sandboxes.startSandbox, ({ query, body }) =>
    service.create(query.sandbox_spec_id ?? body?.sandbox_spec_id, { policy: body?.network_policy ?? undefined }),
  )
  mount(app, sandboxes.pauseSandbox, async ({ params }) => {
    await service.pause(params.sandbox_id)
    return OK
  })
  mount(app, sandboxes.resumeSandbox, async ({ params }) => {
    await service.resume(params.sandbox_id)
    return OK
  })
  mount(app, sandboxNetworks.getSandboxNetwork, ({ params }) => service.network.of(params.sandbox_id).then(masked))
  mount(app, sandboxNetworks.setSandboxNetwork, ({ params, body }) =>
    service.network.change(params.sandbox_id, body).then(masked),
  )
  mount(app, sandboxes.deleteSandbox, async ({ params }) => {
    await service.delete(params.sandbox_id)
    return OK
  })
}

function mountSandboxSpecs(app: Express, { specs }: Services): void {
  mount(app, sandboxSpecs.searchSandboxSpecs, ({ query }) => specs.search(query))
  mount(app, sandboxSpecs.batchGetSandboxSpecs, ({ query }) => specs.batch(query.id))
  mount(app, sandboxSpecs.createSandboxSpec, ({ body }) => specs.create(body))
  mount(app, sandboxSpecs.replaceSandboxSpec, ({ params, body }) => specs.replace(params.spec_id, body))
  mount(app, sandboxSpecs.makeSandboxSpecDefault, ({ params }) => specs.makeDefault(params.spec_id))
  mount(app, sandboxSpecs.deleteSandboxSpec, async ({ params }) => {
    await specs.delete(params.spec_id)
    return OK
  })
}

function mountSystem(app: Express, { system: service, spending }: Services): void {
  mount(app, system.getSystem, () => service.status())
  mount(app, system.recheckSystem, () => service.recheck())
  mount(app, system.unlockKeychain, ({ signal }) => service.unlockKeychain(signal))
  mount(app, system.detectModels, async ({ signal }) => ({ servers: await service.detectModels(signal) }))
  mount(app, system.testModel, ({ body, signal }) => service.testModel(body, signal))
  mount(app, system.listModels, () => ({ items: service.knownModels() }))
  mount(app, usage.getUsage, ({ query }) => spending.report(query.days))
  mount(app, system.alive, () => ({ status: 'ok' }) as const)
  mount(app, system.health, () => 'OK' as const)
}
