import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { folderName, repositoryName } from '../format.ts'
import { conversationState, type State } from '../words.ts'
import { t } from './text.ts'

export interface ListFilter {
  text: string
  state: State | null
  /** What works for another is listed while it is open, also when it is done. */
  openId?: string | null
  /** Only what is archived, which else is left out unless it is looked for. */
  onlyArchived?: boolean
  /** Ids of what is being deleted. */
  leaving?: ReadonlySet<string>
  /** `place`: by the repository or folder that they work on. */
  groupBy?: GroupBy
}

export type GroupBy = 'day' | 'place'

export interface ConversationGroup {
  key: string
  title: string
  items: ListedConversation[]
}

interface ListedConversation {
  conversation: AppConversation
  /** Whether it stands below the one that it works for. */
  nested: boolean
}

/** Characters that turn the direction of what follows, so that `exe.png` can be shown for `gnp.exe`. https://www.unicode.org/reports/tr36/ */
const DIRECTION_OVERRIDES = /[\u202A-\u202E\u2066-\u2069]/g

/** Title, or what stands in its place until there is one. */
export function titleOf(conversation: Pick<AppConversation, 'title'>): string {
  return conversation.title?.replace(DIRECTION_OVERRIDES, '').trim() || t('untitledConversation')
}

/** Repository or folder that a conversation works on; null for neither. */
export function placeOf({
  selected_repository: repository,
  source_folder: folder,
}: Pick<AppConversation, 'selected_repository' | 'source_folder'>): { path: string; name: string } | null {
  if (repository) return { path: repository, name: repositoryName(repository) }
  return folder ? { path: folder, name: folderName(folder) } : null
}

/**
 * Newest activity first, grouped by the day of the activity or by place, with those that are pinned before all; groups without
 * items are left out. What works for another conversation stands below that one; a sub-agent that is done is left out there, for
 * it has reported what it found.
 */
export function groupConversations(
  conversations: readonly AppConversation[],
  filter: ListFilter,
  now: number,
): ConversationGroup[] {
  const pinnedGroup = { key: 'pinned', title: t('pinned'), items: [] }
  const groups = new Map<string, ConversationGroup>([[pinnedGroup.key, pinnedGroup]])
  const dayOf = days(now)
  const found = newestFirst(conversations.filter(one => matches(one, filter)))
  const nested = nestedUnder(found, filter.openId ?? null)
  for (const conversation of found) {
    if (nested.tops.get(conversation.id) !== conversation) continue
    const named = filter.groupBy === 'place' ? placeGroup(conversation) : dayOf(conversation)
    const key = conversation.pinned_at !== null ? pinnedGroup.key : named.key
    const group = groups.get(key) ?? { ...named, items: [] }
    groups.set(key, group)
    const helpers = nested.helpers.get(conversation.id) ?? []
    group.items.push(
      { conversation, nested: false },
      ...helpers.map(helper => ({ conversation: helper, nested: true })),
    )
  }
  return [...groups.values()].filter(({ items }) => items.length > 0)
}

function days(now: number): (one: AppConversation) => Pick<ConversationGroup, 'key' | 'title'> {
  const today = new Date(now).setHours(0, 0, 0, 0)
  // Noon of the day before, so that a day of 23 or 25 hours does no harm.
  const yesterday = new Date(today - 12 * 3_600_000).setHours(0, 0, 0, 0)
  return ({ updated_at }) => {
    const time = Date.parse(updated_at)
    if (time >= today) return { key: 'today', title: t('today') }
    return time >= yesterday ? { key: 'yesterday', title: t('yesterday') } : { key: 'earlier', title: t('earlier') }
  }
}

function placeGroup(conversation: AppConversation): Pick<ConversationGroup, 'key' | 'title'> {
  const place = placeOf(conversation)
  return place ? { key: `at ${place.path}`, title: place.name } : { key: 'nowhere', title: t('nowhere') }
}

interface Nested {
  /** By each one's id: the uppermost of those that it works for, or itself. */
  tops: ReadonlyMap<string, AppConversation>
  /** By an uppermost one's id: what is shown below it. */
  helpers: ReadonlyMap<string, AppConversation[]>
}

function nestedUnder(conversations: readonly AppConversation[], openId: string | null): Nested {
  const byId = new Map(conversations.map(one => [one.id, one]))
  const tops = new Map(conversations.map(one => [one.id, topOf(one, byId)]))
  const helpers = new Map<string, AppConversation[]>()
  for (const one of conversations) {
    const top = tops.get(one.id)
    if (!top || top === one || !isShown(one, byId, openId)) continue
    helpers.set(top.id, [...(helpers.get(top.id) ?? []), one])
  }
  return { tops, helpers }
}

function topOf(conversation: AppConversation, byId: ReadonlyMap<string, AppConversation>): AppConversation {
  const seen = new Set<AppConversation>()
  let top = conversation
  for (let next: AppConversation | undefined = top; next && !seen.has(next); ) {
    top = next
    seen.add(top)
    next = top.parent_conversation_id ? byId.get(top.parent_conversation_id) : undefined
  }
  return top
}

/** What builds a plan is the work itself; any other helper counts while something is to be seen of it. */
function isShown(one: AppConversation, byId: ReadonlyMap<string, AppConversation>, openId: string | null): boolean {
  const plan = byId.get(one.parent_conversation_id ?? '')?.agent_type === 'plan'
  return plan || one.id === openId || conversationState(one) !== 'done'
}

function matches(conversation: AppConversation, filter: ListFilter): boolean {
  const { text, state, openId, onlyArchived = false, leaving } = filter
  if (leaving?.has(conversation.id)) return false
  const isArchived = conversation.archived_at !== null
  if (onlyArchived && !isArchived) return false
  if (isArchived && !onlyArchived && text.trim() === '' && conversation.id !== openId) return false
  if (state !== null && conversationState(conversation) !== state) return false
  const words = text.trim().toLowerCase().split(/\s+/)
  const searched = `${titleOf(conversation)} ${placeOf(conversation)?.name ?? ''}`.toLowerCase()
  return words.every(word => searched.includes(word))
}

function newestFirst(conversations: AppConversation[]): AppConversation[] {
  const byId = new Map(conversations.map(one => [one.id, one]))
  return [...byId.values()].sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at))
}
