import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { useRef, useState } from 'react'
import { conversationListQuery } from '../../api/queries.ts'
import { searchQuery } from '../../api/search.ts'
import { useClient } from '../../api/session.ts'
import { useDemonstration } from '../../api/start.ts'
import { SECTION_TITLES, SETTINGS_SECTIONS } from '../../pages/settings/sections.ts'
import { placeOfHit } from '../../state/search/groups.ts'
import { EVENT_KINDS } from '../../state/search/kinds.ts'
import { useSettled } from '../../state/settled.ts'
import { t } from '../text.ts'
import { RowContent } from './RowContent.tsx'
import { type ActionName, type PaletteRow, paletteGroups } from './rows.ts'

export interface PaletteProps {
  onDone: () => void
  onToggleSidebar: () => void
  onReplay: () => void
  onShortcuts: () => void
}

/** A few rows, the selected one always among those in sight: the first, unless the person chose another. */
export function Palette(props: PaletteProps) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const { groups, isSearching } = usePaletteGroups(text)
  const act = useActs(props)
  const rows = groups.flatMap(group => group.rows)
  const selected = rows.some(row => row.key === chosen) ? chosen : (rows[0]?.key ?? '')
  const moved = useRef(false)
  return (
    <Command
      label={t('goTo')}
      loop
      shouldFilter={false}
      value={selected}
      onValueChange={key => {
        if (moved.current) setChosen(key)
      }}
      disablePointerSelection={!moved.current}
      onKeyDownCapture={event => {
        if (SELECTION_KEYS.has(event.key)) moved.current = true
      }}
      onPointerMoveCapture={event => {
        // Rows that come to lie under a pointer at rest move it too, by nothing.
        if (event.movementX !== 0 || event.movementY !== 0) moved.current = true
      }}
    >
      <Command.Input
        value={text}
        onValueChange={next => {
          moved.current = false
          setChosen('')
          setText(next)
          list.current?.scrollTo({ top: 0 })
        }}
        placeholder={t('goToConversation')}
        className="h-11 w-full border-b border-line bg-transparent px-4 outline-none"
      />
      <Command.List
        ref={list}
        aria-busy={isSearching}
        className="max-h-[56vh] overflow-y-auto p-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint"
      >
        {groups.map(group => (
          <Command.Group key={group.kind} heading={HEADINGS[group.kind]()}>
            {group.rows.map(row => (
              <Command.Item
                key={row.key}
                value={row.key}
                onSelect={() => {
                  props.onDone()
                  act(row)
                }}
                className="flex min-h-8 items-center gap-2.5 rounded-sm px-2 data-[selected=true]:bg-hover"
              >
                <RowContent row={row} />
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  )
}

const SELECTION_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'Home', 'End', 'Tab'])

const HEADINGS = {
  action: () => t('actions'),
  conversation: () => t('conversations'),
  hit: () => t('inConversations'),
  settings: () => t('settings'),
} as const

/** A pause of the fingers. What was found before it is shown as far as it has what was written since. */
const SETTLED_MS = 120

function usePaletteGroups(text: string) {
  const client = useClient()
  const words = useSettled(text, SETTLED_MS)
  const title = words.trim()
  const recent = useInfiniteQuery(conversationListQuery(client, ''))
  const found = useInfiniteQuery({ ...conversationListQuery(client, title), enabled: title !== '' })
  const searched = useInfiniteQuery({
    ...searchQuery(client, { text: words, kinds: EVENT_KINDS, limit: 8 }),
    enabled: title !== '',
  })
  const pages = [...(recent.data?.pages ?? []), ...(title ? (found.data?.pages ?? []) : [])]
  const conversations = [...new Map(pages.flatMap(page => page.items).map(item => [item.id, item])).values()]
  const hits = text.trim() === '' ? [] : (searched.data?.pages ?? []).flatMap(page => page.items)
  const groups = paletteGroups({ text, actions: actionRows(), settings: settingsRows(), conversations, hits })
  return { groups, isSearching: searched.isFetching }
}

function actionRows() {
  const labels: Record<ActionName, string> = {
    new: t('newConversation'),
    demonstration: t('watchDemonstration'),
    replay: t('replaySavedLog'),
    sandboxes: t('sandboxes'),
    sidebar: t('showOrHideConversations'),
    shortcuts: t('keyboardShortcuts'),
  }
  const names = Object.keys(labels) as ActionName[]
  return names.map(name => ({ kind: 'action' as const, key: `action ${name}`, name, label: labels[name] }))
}

function settingsRows() {
  return SETTINGS_SECTIONS.map(section => ({
    kind: 'settings' as const,
    key: `settings ${section}`,
    section,
    label: t('settingsSection', { section: SECTION_TITLES[section] }),
  }))
}

function useActs({ onToggleSidebar, onReplay, onShortcuts }: PaletteProps): (row: PaletteRow) => void {
  const navigate = useNavigate()
  const demonstration = useDemonstration()
  const actions: Record<ActionName, () => unknown> = {
    new: () => navigate({ to: '/' }),
    demonstration: () => demonstration.mutate(),
    replay: onReplay,
    sandboxes: () => navigate({ to: '/sandboxes' }),
    sidebar: onToggleSidebar,
    shortcuts: onShortcuts,
  }
  return row => {
    switch (row.kind) {
      case 'action':
        return void actions[row.name]()
      case 'conversation':
        return void navigate({
          to: '/conversations/$conversationId',
          params: { conversationId: row.conversation.id },
        })
      case 'hit':
        return void navigate({
          to: '/conversations/$conversationId',
          params: { conversationId: row.hit.conversation_id },
          search: placeOfHit(row.hit),
        })
      case 'search':
        return void navigate({ to: '/search', search: { text: row.text } })
      case 'settings':
        return void navigate({ to: '/settings/$section', params: { section: row.section } })
    }
  }
}
