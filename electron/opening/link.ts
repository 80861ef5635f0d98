import type { LinkProblem } from '../ipc.ts'
import { isConversationId } from '../ipc-checks.ts'

const SCHEME = 'atelier:'

/** The program `atelier` hands over none that is longer: with more the running app would end. */
export const MAX_LINK_CHARACTERS = 24_000

/** As it is read: a longer task is none that a person reads before it starts. */
export const MAX_TEXT_CHARACTERS = 8_000

const VISIBLE = '[^\\s\\p{C}\\p{Default_Ignorable_Code_Point}\\u2800]'

/**
 * Characters that nobody sees, which could say to a model what no person has read: controls, formats, private and unassigned ones, those that fonts
 * draw as nothing, and the empty pattern of Braille. Line breaks and tabs are not among them.
 */
const HIDDEN = /[^\P{C}\n\t]|[\p{Default_Ignorable_Code_Point}\u2800]/u

/** How emoji and several scripts write: a variation selector that follows a visible character, and a joiner between two. */
const JOINED = new RegExp(
  `(?<=${VISIBLE})[\ufe0e\ufe0f]|(?<=${VISIBLE}[\ufe0e\ufe0f]?)[\u200c\u200d](?=${VISIBLE})`,
  'gu',
)

/** A word with the scheme of our links. */
export function isLink(word: string): boolean {
  return word.slice(0, SCHEME.length).toLowerCase() === SCHEME
}

/**
 * The page that a link asks for. Any page of the web can have one, so it shows something and never does anything: `atelier://new?text=…` fills in
 * a task, and `atelier://open?conversation=…` shows a conversation. The page of any other link says why it is refused.
 */
export function linkRoute(link: string): string {
  if (link.length > MAX_LINK_CHARACTERS) return refusal('too_long')
  const url = URL.canParse(link) ? new URL(link) : undefined
  if (url && url.protocol !== SCHEME) return refusal('elsewhere')
  if (!url || url.username || url.password || url.port || url.hash) return refusal('unknown')
  if (url.pathname !== '' && url.pathname !== '/') return refusal('unknown')
  const values = [...url.searchParams]
  if (url.host === 'open') return conversationRoute(values)
  return url.host === 'new' ? taskRoute(values) : refusal('unknown')
}

function conversationRoute([first, ...more]: [string, string][]): string {
  if (first?.[0] !== 'conversation' || more.length > 0 || !isConversationId(first[1])) return refusal('unknown')
  return `/conversations/${first[1]}`
}

function taskRoute([first, ...more]: [string, string][]): string {
  if (!first) return '/'
  if (first[0] !== 'text' || more.length > 0) return refusal('unknown')
  const text = first[1].replaceAll('\r\n', '\n')
  if (text.length > MAX_TEXT_CHARACTERS) return refusal('too_long')
  if (HIDDEN.test(text.replaceAll(JOINED, ''))) return refusal('hidden')
  // A value of the router is JSON where it can be.
  return text.trim() === '' ? '/' : `/?text=${encodeURIComponent(JSON.stringify(text))}`
}

function refusal(problem: LinkProblem): string {
  return `/?link=${problem}`
}
