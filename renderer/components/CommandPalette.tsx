import { Dialog } from '@base-ui/react/dialog'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Boxes, FileUp, type LucideIcon, PanelLeft, Play, Settings, SquarePen } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { conversationListQuery } from '../api/queries.ts'
import { useClient } from '../api/session.ts'
import { useDemonstration } from '../api/start.ts'
import { SECTION_TITLES, SETTINGS_SECTIONS } from '../pages/settings/sections.ts'
import { titleOf } from '../state/conversation/list.ts'
import { repositoryName } from '../state/format.ts'
import { conversationState } from '../state/words.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { StateDot } from '../ui/StateDot.tsx'
import { t } from './text.ts'

export interface CommandPaletteProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onToggleSidebar: () => void
  onReplay: () => void
}

export function CommandPalette({ open, onOpenChange, onToggleSidebar, onReplay }: CommandPaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-100 data-starting-style:opacity-0" />
        <Dialog.Popup className="popup fixed top-[14vh] left-1/2 z-40 w-140 max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden">
          <Dialog.Title className="sr-only">{t('goToConversationOrPage')}</Dialog.Title>
          <Palette onDone={() => onOpenChange(false)} onToggleSidebar={onToggleSidebar} onReplay={onReplay} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface PaletteProps extends Pick<CommandPaletteProps, 'onToggleSidebar' | 'onReplay'> {
  onDone: () => void
}

function Palette({ onDone, onToggleSidebar, onReplay }: PaletteProps) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState('')
  const list = useRef<HTMLDivElement>(null)
  /** Whether the person chose a row of what was found so far. */
  const [moved, setMoved] = useState(false)
  function search(next: string) {
    setMoved(false)
    setText(next)
  }
  function selectFirst() {
    const first = list.current?.querySelector('[cmdk-item]')?.getAttribute('data-value')
    if (moved || !first) return
    setSelected(first)
    list.current?.scrollTo({ top: 0 })
  }
  const navigate = useNavigate()
  const demonstration = useDemonstration()
  const run = (act: () => unknown) => () => {
    onDone()
    act()
  }
  return (
    <Command
      label={t('goTo')}
      loop
      value={selected}
      onValueChange={setSelected}
      disablePointerSelection={!moved}
      onKeyDown={event => {
        if (SELECTION_KEYS.has(event.key)) setMoved(true)
      }}
      onPointerMove={event => {
        // Rows that come to lie under a pointer at rest move it too, by nothing.
        if (event.movementX !== 0 || event.movementY !== 0) setMoved(true)
      }}
    >
      <Command.Input
        value={text}
        onValueChange={search}
        placeholder={t('goToConversation')}
        className="h-11 w-full border-b border-line bg-transparent px-4 outline-none"
      />
      <Command.List
        ref={list}
        className="max-h-[50vh] overflow-y-auto p-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint"
      >
        <Command.Empty className="px-3 py-4 text-faint">{t('nothingMatches')}</Command.Empty>
        <Command.Group heading={t('actions')}>
          <Action icon={SquarePen} keys="Mod+N" onSelect={run(() => navigate({ to: '/' }))}>
            {t('newConversation')}
          </Action>
          <Action icon={Play} onSelect={run(() => demonstration.mutate())}>
            {t('watchDemonstration')}
          </Action>
          <Action icon={FileUp} onSelect={run(onReplay)}>
            {t('replaySavedLog')}
          </Action>
          <Action icon={Boxes} onSelect={run(() => navigate({ to: '/sandboxes' }))}>
            {t('sandboxes')}
          </Action>
          <Action icon={PanelLeft} keys="Mod+B" onSelect={run(onToggleSidebar)}>
            {t('showOrHideConversations')}
          </Action>
        </Command.Group>
        <Conversations
          text={text}
          onFound={selectFirst}
          onOpen={conversationId =>
            run(() => navigate({ to: '/conversations/$conversationId', params: { conversationId } }))()
          }
        />
        <Command.Group heading={t('settings')}>
          {SETTINGS_SECTIONS.map(section => (
            <Action
              key={section}
              icon={Settings}
              onSelect={run(() => navigate({ to: '/settings/$section', params: { section } }))}
            >
              {t('settingsSection', { section: SECTION_TITLES[section] })}
            </Action>
          ))}
        </Command.Group>
      </Command.List>
    </Command>
  )
}

const SELECTION_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'Home', 'End'])

/** Without a word to look for, the pages below stay in sight. */
const MAX_RECENT = 6

interface ConversationsProps {
  text: string
  /** Other conversations came after the text was typed. */
  onFound: () => void
  onOpen: (id: string) => void
}

function Conversations({ text, onFound, onOpen }: ConversationsProps) {
  const title = useDeferredValue(text.trim())
  const client = useClient()
  const recent = useInfiniteQuery(conversationListQuery(client, ''))
  const found = useInfiniteQuery({ ...conversationListQuery(client, title), enabled: title !== '' })
  const items = [...(recent.data?.pages ?? []), ...(title ? (found.data?.pages ?? []) : [])].flatMap(page => page.items)
  const all = [...new Map(items.map(item => [item.id, item])).values()]
  const conversations = title ? all : all.filter(one => one.parent_conversation_id === null).slice(0, MAX_RECENT)
  useSortedRows(conversations.map(({ id }) => id).join(), onFound)
  if (conversations.length === 0) return null
  return (
    <Command.Group heading={t('conversations')}>
      {conversations.map(conversation => {
        const repository = conversation.selected_repository ? repositoryName(conversation.selected_repository) : ''
        return (
          <Row
            key={conversation.id}
            value={`${titleOf(conversation)} ${repository} ${conversation.id}`}
            onSelect={() => onOpen(conversation.id)}
          >
            <StateDot state={conversationState(conversation)} />
            <span className="flex-1 truncate" title={titleOf(conversation)}>
              {titleOf(conversation)}
            </span>
            <span className="shrink-0 text-sm text-faint">{repository}</span>
          </Row>
        )
      })}
    </Command.Group>
  )
}

/** Calls back when other rows came and the list has sorted them, which it does after the effects of its rows. */
function useSortedRows(rows: string, onSorted: () => void) {
  const latest = useRef(onSorted)
  useEffect(() => {
    latest.current = onSorted
  })
  useEffect(() => {
    if (rows === '') return
    const frame = requestAnimationFrame(() => latest.current())
    return () => cancelAnimationFrame(frame)
  }, [rows])
}

interface ActionProps {
  icon: LucideIcon
  keys?: string
  children: ReactNode
  onSelect: () => void
}

function Action({ icon: Icon, keys, children, onSelect }: ActionProps) {
  return (
    <Row onSelect={onSelect}>
      <Icon size={14} aria-hidden className="text-faint" />
      <span className="flex-1">{children}</span>
      {keys ? <Kbd keys={keys} /> : null}
    </Row>
  )
}

function Row({ value, children, onSelect }: { value?: string; children: ReactNode; onSelect: () => void }) {
  return (
    <Command.Item
      {...(value === undefined ? {} : { value })}
      onSelect={onSelect}
      className="flex h-8 items-center gap-2.5 rounded-sm px-2 data-[selected=true]:bg-hover"
    >
      {children}
    </Command.Item>
  )
}
