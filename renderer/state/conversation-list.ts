import type { AppConversation } from '../../server/api/app-conversations.ts'
import { repositoryName } from './format.ts'
import { conversationState, type State } from './words.ts'

export interface ListFilter {
  text: string
  state: State | null
}

export interface ConversationGroup {
  title: 'Today' | 'Yesterday' | 'Earlier'
  items: AppConversation[]
}

/** Title, or what stands in its place until there is one. */
export function titleOf(conversation: Pick<AppConversation, 'title'>): string {
  return conversation.title?.trim() || 'Untitled conversation'
}

/** Newest activity first, grouped by the day of the activity; groups without items are left out. */
export function groupConversations(
  conversations: readonly AppConversation[],
  filter: ListFilter,
  now: number,
): ConversationGroup[] {
  const today = new Date(now).setHours(0, 0, 0, 0)
  // Noon of the day before, so that a day of 23 or 25 hours does no harm.
  const yesterday = new Date(today - 12 * 3_600_000).setHours(0, 0, 0, 0)
  const groups: ConversationGroup[] = [
    { title: 'Today', items: [] },
    { title: 'Yesterday', items: [] },
    { title: 'Earlier', items: [] },
  ]
  for (const conversation of newestFirst(conversations.filter(one => matches(one, filter)))) {
    const time = Date.parse(conversation.updated_at)
    groups[time >= today ? 0 : time >= yesterday ? 1 : 2]?.items.push(conversation)
  }
  return groups.filter(({ items }) => items.length > 0)
}

function matches(conversation: AppConversation, { text, state }: ListFilter): boolean {
  if (state !== null && conversationState(conversation) !== state) return false
  const words = text.trim().toLowerCase().split(/\s+/)
  const repository = conversation.selected_repository
  const searched = `${titleOf(conversation)} ${repository ? repositoryName(repository) : ''}`.toLowerCase()
  return words.every(word => searched.includes(word))
}

function newestFirst(conversations: AppConversation[]): AppConversation[] {
  const byId = new Map(conversations.map(one => [one.id, one]))
  return [...byId.values()].sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at))
}
