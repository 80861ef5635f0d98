import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { SearchHit } from '../../../server/api/v1/system/search.ts'
import type { SettingsSection } from '../../pages/settings/sections.ts'
import { titleOf } from '../../state/conversation/list.ts'
import { repositoryName } from '../../state/format.ts'

export type ActionName = 'new' | 'demonstration' | 'replay' | 'sandboxes' | 'sidebar' | 'shortcuts'

/** One thing to go to or to do. `key` tells it from all others. */
export type PaletteRow = { key: string } & (
  | { kind: 'action'; name: ActionName; label: string }
  | { kind: 'conversation'; conversation: AppConversation }
  | { kind: 'hit'; hit: SearchHit }
  | { kind: 'search'; text: string }
  | { kind: 'settings'; section: SettingsSection; label: string }
)
type RowKind = PaletteRow['kind']

export interface PaletteGroup {
  kind: Exclude<RowKind, 'search'>
  rows: PaletteRow[]
}

export interface PaletteContent {
  text: string
  actions: readonly (PaletteRow & { kind: 'action' })[]
  settings: readonly (PaletteRow & { kind: 'settings' })[]
  conversations: readonly AppConversation[]
  hits: readonly SearchHit[]
}

/** Without a word to look for, the pages below stay in sight. */
const MAX_RECENT = 6
const MAX_CONVERSATIONS = 8
const MAX_HITS = 8

/**
 * What the palette shows, in its order: few rows, however much there is. What fits best comes first, in its group and as a
 * group; what stands in conversations comes after what they are called.
 */
export function paletteGroups({ text, actions, settings, conversations, hits }: PaletteContent): PaletteGroup[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') {
    const recent = conversations.filter(one => one.parent_conversation_id === null).slice(0, MAX_RECENT)
    return kept([
      group('action', actions),
      group('conversation', recent.map(conversationRow)),
      group('settings', settings),
    ])
  }
  const groups = [
    ranked('action', actions, wanted, Number.POSITIVE_INFINITY),
    ranked('conversation', conversations.map(conversationRow), wanted, MAX_CONVERSATIONS),
    ranked('settings', settings, wanted, Number.POSITIVE_INFINITY),
  ].sort((one, other) => one.best - other.best)
  const found = hits.slice(0, MAX_HITS).map(hitRow)
  const all: PaletteRow = { kind: 'search', key: 'search', text: text.trim() }
  return kept([...groups, group('hit', [...found, all])])
}

function conversationRow(conversation: AppConversation): PaletteRow {
  return { kind: 'conversation', key: `conversation ${conversation.id}`, conversation }
}

function hitRow(hit: SearchHit): PaletteRow {
  return { kind: 'hit', key: `hit ${hit.event_id} ${hit.kind}`, hit }
}

function group(kind: PaletteGroup['kind'], rows: readonly PaletteRow[]): PaletteGroup {
  return { kind, rows: [...rows] }
}

function kept(groups: readonly PaletteGroup[]): PaletteGroup[] {
  return groups.filter(({ rows }) => rows.length > 0)
}

function ranked(kind: PaletteGroup['kind'], rows: readonly PaletteRow[], wanted: string, limit: number) {
  const fitting = rows
    .map(row => ({ row, rank: rankOf(wordsOf(row), wanted) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, limit)
  return {
    ...group(
      kind,
      fitting.map(({ row }) => row),
    ),
    best: fitting[0]?.rank ?? Number.POSITIVE_INFINITY,
  }
}

function wordsOf(row: PaletteRow): string {
  switch (row.kind) {
    case 'action':
    case 'settings':
      return row.label
    case 'conversation': {
      const repository = row.conversation.selected_repository
      return `${titleOf(row.conversation)} ${repository ? repositoryName(repository) : ''}`
    }
    case 'hit':
    case 'search':
      return ''
  }
}

/** 0 where it is or begins with what is wanted, infinite where a word is missing. */
function rankOf(label: string, wanted: string): number {
  const text = label.toLowerCase().trim()
  if (text === wanted) return 0
  if (text.startsWith(wanted)) return 1
  return Math.max(...wanted.split(/\s+/).map(word => rankOfWord(text, word)))
}

function rankOfWord(text: string, word: string): number {
  const at = text.indexOf(word)
  if (at < 0) return Number.POSITIVE_INFINITY
  return ` ${text}`.includes(` ${word}`) ? 2 : 3
}
