import { searchConversationEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import type { DesktopApp } from './desktop-app.ts'

/**
 * The conversation that the window shows.
 * @param running read again by each function, because a test may replace the app
 */
export function shownConversation(running: { readonly desktop: DesktopApp }) {
  return {
    say: async (text: string): Promise<void> => {
      const composer = running.desktop.page.getByRole('textbox', { name: 'Message' })
      await composer.fill(text)
      await composer.press('Enter')
    },
    /** The state in the header, not one of the list's. */
    untilState: async (word: string): Promise<void> => {
      await running.desktop.page.locator('header').getByRole('status').getByText(word, { exact: true }).waitFor()
    },
    clickLast: (text: RegExp): Promise<void> => running.desktop.page.getByText(text).last().click(),
    openCalls: () => openCalls(running.desktop),
  }
}

/** The ids of calls without exactly one answer, in the whole log of the conversation that is shown. */
async function openCalls({ page, service }: DesktopApp): Promise<string[]> {
  const [, id = ''] = /conversations\/(\w+)/.exec(page.url()) ?? []
  const query = { limit: 100 }
  const { items } = await service.client.call(searchConversationEvents, {
    params: { conversation_id: id },
    query,
  })
  const called = items.flatMap(event => (event.kind === 'ActionEvent' ? [event.tool_call_id] : []))
  const answers = items.flatMap(event =>
    event.kind === 'ObservationEvent' || event.kind === 'AgentErrorEvent' ? [event.tool_call_id] : [],
  )
  return called.filter(call => answers.filter(answer => answer === call).length !== 1)
}
