import { z } from 'zod'
import { IN_CONVERSATION } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'

export const browserTab = z.object({
  id: z.string().describe('Id of the tab, as the agent names it.'),
  url: z.string().describe('Address that the tab shows.'),
  title: z.string().describe('Title of the page; empty when it has none.'),
  current: z.boolean().describe('Whether it is the tab that the agent looks at.'),
})

const installed = {
  executable: z.string().describe('Path of the browser in the sandbox.'),
  version: z.string().describe('Version that the browser says it has.'),
}

/** Whether the agent of a conversation has a browser: its sandbox's image brings it, or it does not. */
export const browserState = z.discriminatedUnion('state', [
  /** The sandbox does not run, and nobody has looked before. */
  z.object({ state: z.literal('unknown') }),
  z.object({
    state: z.literal('missing'),
    install: z
      .string()
      .nullable()
      .describe(
        'Command that installs a browser in this sandbox or its image; null when its distribution has no package for one.',
      ),
  }),
  z.object({ state: z.literal('ready'), ...installed }),
  z.object({
    state: z.literal('running'),
    ...installed,
    tabs: z.array(browserTab).describe('Tabs that are open now.'),
  }),
])
export type BrowserState = z.output<typeof browserState>

export const getConversationBrowser = route({
  method: 'get',
  path: '/api/v1/app-conversations/{conversation_id}/browser',
  summary: 'Whether the sandbox of a conversation has a browser for its agent, and what is open in it',
  description: 'Tells whether the sandbox of the conversation has a browser for its agent, and what is open in it.',
  tag: 'App conversations',
  params: z.object({
    conversation_id: z.string().describe('Id of the conversation, as a UUID with or without hyphens.'),
  }),
  failures: IN_CONVERSATION,
  reply: browserState,
})
