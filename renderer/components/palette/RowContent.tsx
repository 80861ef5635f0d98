import { Boxes, FileUp, Keyboard, type LucideIcon, PanelLeft, Play, Search, Settings, SquarePen } from 'lucide-react'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { SearchHit } from '../../../server/api/v1/system/search.ts'
import { titleOf } from '../../state/conversation/list.ts'
import { repositoryName } from '../../state/format.ts'
import { KIND_ICONS, KIND_WORDS } from '../../state/search/kinds.ts'
import { conversationState } from '../../state/words.ts'
import { Emphasis } from '../../ui/Emphasis.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { t } from '../text.ts'
import type { ActionName, PaletteRow } from './rows.ts'

const ACTION_LOOKS: Record<ActionName, { icon: LucideIcon; keys?: string }> = {
  new: { icon: SquarePen, keys: 'Mod+N' },
  demonstration: { icon: Play },
  replay: { icon: FileUp },
  sandboxes: { icon: Boxes },
  sidebar: { icon: PanelLeft, keys: 'Mod+B' },
  shortcuts: { icon: Keyboard, keys: 'Mod+/' },
}

export function RowContent({ row }: { row: PaletteRow }) {
  switch (row.kind) {
    case 'action':
      return <Labelled {...ACTION_LOOKS[row.name]} label={row.label} />
    case 'settings':
      return <Labelled icon={Settings} label={row.label} />
    case 'search':
      return <Labelled icon={Search} label={t('searchAllFor', { text: row.text })} />
    case 'conversation':
      return <ConversationContent conversation={row.conversation} />
    case 'hit':
      return <HitContent hit={row.hit} />
  }
}

function Labelled({ icon: Icon, keys, label }: { icon: LucideIcon; keys?: string; label: string }) {
  return (
    <>
      <Icon size={14} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys ? <Kbd keys={keys} /> : null}
    </>
  )
}

function ConversationContent({ conversation }: { conversation: AppConversation }) {
  const repository = conversation.selected_repository
  return (
    <>
      <StateDot state={conversationState(conversation)} />
      <span className="min-w-0 flex-1 truncate" title={titleOf(conversation)}>
        {titleOf(conversation)}
      </span>
      <span className="shrink-0 text-sm text-faint">{repository ? repositoryName(repository) : ''}</span>
    </>
  )
}

function HitContent({ hit }: { hit: SearchHit }) {
  const Icon = KIND_ICONS[hit.kind]
  return (
    <>
      <Icon size={14} aria-label={KIND_WORDS[hit.kind]} className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 py-1">
        <span className="block truncate">
          <Emphasis text={hit.snippet} ranges={hit.matches} />
        </span>
        <span className="flex justify-between gap-2 text-faint text-sm">
          <span className="truncate">{titleOf(hit)}</span>
          <RelativeTime time={hit.timestamp} />
        </span>
      </span>
    </>
  )
}
