import type { ConversationId } from '../ids.ts'

const MAX_LENGTH = 50

export function defaultTitle(id: ConversationId): string {
  return `Conversation ${id.slice(0, 5)}`
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
