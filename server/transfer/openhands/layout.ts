import { BOUNDS } from '../../domain/bounds.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { ForeignFolder } from './folder.ts'
import { conversationIdOf } from './values.ts'

/** How a conversation lies there; `first` and `second` are generations of events. */
type Layout =
  /** `metadata.json`, `events/<number>.json` */
  | 'first'
  /** `meta.json`, `base_state.json`, `events/event-<number>-<id>.json` */
  | 'second-numbered'
  /** `<id>.json` or `<time>_<kind>_<id>`: the time in the event gives the order */
  | 'second-timed'

export interface FoundConversation {
  /** The one that it has here. */
  id: ConversationId
  /** The one that it has there. */
  name: string
  /** Its folder, below that of OpenHands. */
  folder: string
  layout: Layout
}

/**
 * Conversations in the folder, each once: an agent server's own log is more than what an app has heard of it.
 */
export async function findConversations(
  folder: ForeignFolder,
): Promise<{ conversations: FoundConversation[]; isCut: boolean }> {
  const found = new Map<string, FoundConversation>()
  let isCut = false
  for await (const { place, layout } of placesOf(folder)) {
    for await (const name of folder.names(place, 'folder')) {
      const id = conversationIdOf(name)
      if (found.has(id)) continue
      isCut ||= found.size >= BOUNDS.dataFileConversations.limit
      if (!isCut) found.set(id, { id, name, folder: `${place}/${name}`, layout })
    }
  }
  const conversations = [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
  return { conversations, isCut }
}

/** Newer ones lie in a folder of their user, if the server knows users. */
async function* placesOf(folder: ForeignFolder): AsyncGenerator<{ place: string; layout: Layout }, void> {
  yield { place: 'conversations', layout: 'second-numbered' }
  yield { place: 'v1_conversations', layout: 'second-timed' }
  for await (const user of folder.names('', 'folder')) {
    yield { place: `${user}/v1_conversations`, layout: 'second-timed' }
  }
  yield { place: 'v1/events', layout: 'second-timed' }
  yield { place: 'sessions', layout: 'first' }
  for await (const user of folder.names('users', 'folder')) {
    yield { place: `users/${user}/conversations`, layout: 'first' }
  }
}

/** Files of its events, below its folder, in their order where that shows in their names. */
export async function eventFiles(
  folder: ForeignFolder,
  { folder: place, layout }: FoundConversation,
): Promise<{ files: string[]; isCut: boolean }> {
  const at = layout === 'second-timed' ? place : `${place}/events`
  const numbered: { number: number; name: string }[] = []
  let isCut = false
  for await (const name of folder.names(at, 'file')) {
    const number = numberOf(name, layout)
    if (number === undefined) continue
    numbered.push({ number, name })
  }
  numbered.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1))
  if (numbered.length > BOUNDS.openHandsEvents.limit) {
    isCut = true
    numbered.length = BOUNDS.openHandsEvents.limit
  }
  return { files: numbered.map(({ name }) => `${at}/${name}`), isCut }
}

const FIRST = /^(\d{1,15})\.json$/
const NUMBERED = /^event-(\d{1,15})-[\w-]{1,100}\.json$/
const TIMED = /^(?:[0-9a-f]{32}\.json|\d{14}_\w{1,100}_[0-9a-f]{32}(?:\.json)?)$/i

function numberOf(name: string, layout: Layout): number | undefined {
  if (layout === 'second-timed') return TIMED.test(name) ? 0 : undefined
  const digits = (layout === 'first' ? FIRST : NUMBERED).exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
