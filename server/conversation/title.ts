import type { ConversationId } from '../ids.ts'

const MAX_LENGTH = 50

export function defaultTitle(id: ConversationId): string {
  return `Conversation ${id.slice(0, 5)}`
}

/** Neither by a person nor by its first message. A name made from that is a default one still, which the model may better. */
export function isUnnamed(named: { id: ConversationId; title: string | null; title_is_default: boolean }): boolean {
  return named.title_is_default && (named.title === null || named.title === defaultTitle(named.id))
}

/** The first line that says something, cut at a word to 50 characters. */
export function titleFromMessage(message: string): string | null {
  const line = message
    .split('\n')
    .map(text => text.replace(/^[#>*\s-]+/, '').trim())
    .find(text => text !== '')
  if (!line) return null
  if (line.length <= MAX_LENGTH) return line
  const cut = line.slice(0, MAX_LENGTH - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
