import type { Event } from '../../../server/api/event/events.ts'
import { searchConversationEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import type { Client } from '../../../server/client/client.ts'

/** The whole log, page after page. */
export async function readLog(service: { client: Client }, id: string): Promise<Event[]> {
  const events: Event[] = []
  let page: string | null = null
  do {
    const found: { items: Event[]; next_page_id: string | null } = await service.client.call(searchConversationEvents, {
      params: { conversation_id: id },
      query: { limit: 100, page_id: page },
    })
    events.push(...found.items)
    page = found.next_page_id
  } while (page !== null)
  return events
}
