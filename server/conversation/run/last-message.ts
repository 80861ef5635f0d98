import { titleFromMessage } from '../../agent/default-title.ts'
import type { Event } from '../../api/event/events.ts'
import { textOf } from '../../event/model-messages.ts'
import type { EventFilter } from '../../store/events.ts'

interface Conversations {
  searchEvents(
    id: string,
    filter: EventFilter,
    page: { order: 'ASC' | 'DESC'; pageId: null; limit: number },
  ): { items: Event[] }
}

/** What the agent said last, in its finish or in a message; empty when it said nothing. */
export function lastMessage(id: string, conversations: Conversations): string {
  const latest = { order: 'DESC', pageId: null, limit: 1 } as const
  const [action] = conversations.searchEvents(id, { kind: 'ActionEvent' }, latest).items
  const [message] = conversations.searchEvents(id, { kind: 'MessageEvent', source: 'agent' }, latest).items
  const finish = action?.kind === 'ActionEvent' && action.action?.kind === 'FinishAction' ? action.action : undefined
  if (finish && (action?.seq ?? -1) > (message?.seq ?? -1)) return finish.message
  return message?.kind === 'MessageEvent' ? textOf(message.llm_message.content) : ''
}

/** A title made of the first message; null when nothing was said yet. */
export function titleOf(id: string, conversations: Conversations): string | null {
  const filter = { kind: 'MessageEvent', source: 'user' }
  const [first] = conversations.searchEvents(id, filter, { order: 'ASC', pageId: null, limit: 1 }).items
  return first?.kind === 'MessageEvent' ? titleFromMessage(textOf(first.llm_message.content)) : null
}
