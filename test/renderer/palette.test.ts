import { expect, test } from 'vitest'
import { type PaletteContent, paletteGroups } from '../../renderer/components/palette/rows.ts'
import type { AppConversation } from '../../server/api/v1/conversation/conversations.ts'

const actions = [
  { kind: 'action', key: 'action new', name: 'new', label: 'New conversation' },
  { kind: 'action', key: 'action sandboxes', name: 'sandboxes', label: 'Sandboxes' },
] as const
const settings = [
  { kind: 'settings', key: 'settings sandbox', section: 'sandbox', label: 'Settings: Sandbox' },
] as const

function content(text: string, titles: readonly string[]): PaletteContent {
  // The palette reads nothing else of a conversation.
  const conversations = titles.map(
    (title, index) =>
      ({ id: `c${index}`, title, selected_repository: null, parent_conversation_id: null }) as AppConversation,
  )
  return { text, actions, settings, conversations, hits: [] }
}

const keysOf = (text: string, titles: readonly string[]) =>
  paletteGroups(content(text, titles)).flatMap(({ rows }) => rows.map(({ key }) => key))

test('what fits best stands first, and few rows are shown of many', () => {
  const titles = Array.from({ length: 5000 }, (_, number) => `Parser ${number}`)
  expect(keysOf('parser 5', titles)[0]).toBe('conversation c5')
  expect(keysOf('parser 5', titles)).toHaveLength(9)
  expect(keysOf('sandboxes', titles)[0]).toBe('action sandboxes')
  expect(keysOf('', titles)).toHaveLength(9)
  expect(keysOf('nothing of this', titles)).toEqual(['search'])
})
