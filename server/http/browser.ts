import type { Express } from 'express'
import { getConversationBrowser } from '../api/browser.ts'
import { mount } from './mount.ts'
import type { Services } from './services.ts'

export function mountBrowser(app: Express, { conversations, browsers }: Pick<Services, 'conversations' | 'browsers'>) {
  mount(app, getConversationBrowser, ({ params, signal }) =>
    browsers.state(conversations.find(params.conversation_id), signal),
  )
}
