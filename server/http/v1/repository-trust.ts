import type { Express } from 'express'
import * as routes from '../../api/v1/conversation/repository-trust.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

type Needed = Pick<Services, 'conversations' | 'knowledge' | 'trust' | 'setUp'>

/** What a person decides about repositories. It needs the API's own key: no sandbox's key opens it. */
export function mountRepositoryTrust(app: Express, { conversations, knowledge, trust, setUp }: Needed): void {
  mount(app, routes.listTrustedRepositories, () => ({ items: trust.list() }))
  mount(app, routes.trustRepository, ({ body }) => {
    const trusted = trust.trust(body)
    setUp.trusted(body.repository)
    return trusted
  })
  mount(app, routes.distrustRepository, async ({ query }) => {
    trust.distrust(query.repository)
    await setUp.distrusted(query.repository)
    return { success: true }
  })
  mount(app, routes.getRepositoryTrust, async ({ params, query, signal }) => {
    const conversation = conversations.find(params.conversation_id)
    if (query.refresh) {
      await knowledge.refresh(conversation, signal)
      await setUp.refresh(conversation, signal)
    }
    return setUp.view(conversation.id)
  })
  mount(app, routes.postponeRepositoryTrust, ({ params }) => {
    const { id } = conversations.findOwn(params.conversation_id)
    trust.postpone(id)
    return setUp.view(id)
  })
  mount(app, routes.setUpRepository, async ({ params }) => {
    const conversation = conversations.findOwn(params.conversation_id)
    await setUp.begin(conversation)
    return setUp.view(conversation.id)
  })
}
