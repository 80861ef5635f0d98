import type { Express } from 'express'
import { getConversationBrowser } from '../../api/v1/conversation/browser.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

export function mountBrowser(app: Express, { conversations, browsers }: Pick<Services, 'conversations' | 'browsers'>) {
  mount(app, getConversationBrowser, ({ params, signal }) =>
    browsers.state(conversations.find(params.conversation_id), signal),
  )
}
