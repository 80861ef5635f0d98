import { z } from 'zod'
import { IN_CONVERSATION } from './failures.ts'
import { route } from './route.ts'

export const browserTab = z.object({ id: z.string(), url: z.string(), title: z.string(), current: z.boolean() })

const installed = { executable: z.string(), version: z.string() }

/** Whether the agent of a conversation has a browser: its sandbox's image brings it, or it does not. */
export const browserState = z.discriminatedUnion('state', [
  /** The sandbox does not run, and nobody has looked before. */
  z.object({ state: z.literal('unknown') }),
  z.object({
    state: z.literal('missing'),
    /** What installs one in this sandbox or in its image; null when its distribution has no package for it. */
    install: z.string().nullable(),
  }),
  z.object({ state: z.literal('ready'), ...installed }),
  z.object({ state: z.literal('running'), ...installed, tabs: z.array(browserTab) }),
])
export type BrowserState = z.output<typeof browserState>

export const getConversationBrowser = route({
  method: 'get',
  path: '/api/v1/app-conversations/{conversation_id}/browser',
  summary: 'Whether the sandbox of a conversation has a browser for its agent, and what is open in it',
  tag: 'App conversations',
  params: z.object({ conversation_id: z.string() }),
  failures: IN_CONVERSATION,
  reply: browserState,
})
